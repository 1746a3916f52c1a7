package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.CommandRun;
import dev.unjank.cli.ContendedProgram;
import dev.unjank.cli.UnixSignals;
import dev.unjank.cli.Unjank;
import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.trace.read.TraceReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command on a contended program in a virtual machine of its own; without root, too. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordJvmCommandTest {
    private static final String WAITS =
            "INCLUDE PERFETTO MODULE android.monitor_contention; SELECT blocked_thread_name AS a, blocked_thread_tid > 0 AS b,"
                    + " blocking_thread_name AS c, blocking_thread_tid > 0 AS d, short_blocking_method AS e"
                    + " FROM android_monitor_contention WHERE dur > 50000000 GROUP BY 1, 2, 3, 4, 5 ORDER BY count(*) DESC";

    @TempDir
    private Path folder;

    private Process target;
    private String pid;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        target = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+EnableDynamicAgentLoading",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContendedProgram.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader says = target.inputReader(StandardCharsets.UTF_8);
        assertThat(says.readLine()).isEqualTo("ready");
        pid = Long.toString(target.pid());
        file = folder.resolve("recorded.pftrace");
    }

    @AfterEach
    void stop() {
        target.destroyForcibly();
    }

    /** A recorder in a process of its own that has begun. */
    private Process recorder(String... more) throws IOException {
        Process recorder = started(more);
        BufferedReader err = recorder.errorReader(StandardCharsets.UTF_8);
        for (String line = err.readLine(); line == null || !line.contains("Flight Recorder"); line = err.readLine()) {
            assertThat(line).as("a line for each source").isNotNull();
        }
        return recorder;
    }

    private Process started(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Unjank.class.getName(),
                "record",
                "--pid",
                pid,
                "-o",
                file.toString()));
        command.addAll(List.of(more));
        return new ProcessBuilder(UnixSignals.heard(command)).start();
    }

    private static void send(String signal, Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** What recorders have left in the directory for temporary files, for this target. */
    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            return files.filter(each -> each.getFileName().toString().startsWith("unjank-" + pid + "-"))
                    .toList();
        }
    }

    /**
     * The kernel says that it lost nothing. Some kernels omit single switches nevertheless: these matter only for waits
     * in which their threads take part.
     */
    @Test
    void withoutLossesFewLockWaitsDependOnLostEvents() throws IOException {
        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", file.toString(), "--duration", "3s");
        assertThat(run.code()).as(run.err()).isZero();
        assumeTrue(run.err().contains("on   kernel scheduling"), "needs root and tracefs");
        assumeTrue(run.out().contains("none lost"), run.out());

        List<Evidence> evidence = Doctor.diagnose(
                        TraceReader.read(file), DoctorOptions.defaults().withThread(DoctorOptions.ALL_THREADS))
                .incidents()
                .stream()
                .filter(incident -> incident.rootWait().kind().isLock())
                .map(incident -> incident.judgement().evidence())
                .toList();

        assertThat(evidence).isNotEmpty();
        assertThat(evidence.stream().filter(Evidence.EVENTS_LOST::equals).count())
                .as("of " + evidence.size())
                .isLessThanOrEqualTo(1 + evidence.size() / 10);
    }

    @Test
    void perfettosTableOfContentionIsFilled() {
        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", file.toString(), "--duration", "3s");
        assertThat(run.code()).as(run.err()).isZero();

        CommandRun waits = CommandRun.of("query", file.toString(), WAITS, "--format", "csv");

        assertThat(waits.code()).as(waits.err()).isZero();
        assertThat(waits.out().lines().skip(1))
                .as(waits.out())
                .allMatch(line -> line.startsWith("\"the ui\",1,\"the worker\",1,"))
                // of a wait that began before, or on a busy machine, the owner's location is unknown
                .allMatch(line -> line.contains("dev.unjank.cli.ContendedProgram.") || line.endsWith("\"null\""))
                .anyMatch(line -> line.contains("dev.unjank.cli.ContendedProgram."));
    }

    @Test
    void ctrlCEndsItWellAndLeavesNothing() throws Exception {
        Process recorder = recorder("--ring", "4MB");
        TimeUnit.MILLISECONDS.sleep(5 * ContendedProgram.HOLD_MILLIS);
        send("INT", recorder);

        String out = new String(recorder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(recorder.waitFor()).isEqualTo(130);
        assertThat(out).contains("Wrote " + file).contains("interrupted");
        assertThat(TraceReader.read(file).warnings()).isEmpty();
        assertThat(left()).isEmpty();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void ctrlCEndsItSoonIfTheTargetIsStoppedAndSaysWhatItDidNotAnswer() throws Exception {
        Process recorder = recorder();
        send("STOP", target);
        try {
            send("INT", recorder);
            String out = new String(recorder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String err = new String(recorder.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(recorder.waitFor()).as(err).isEqualTo(130);
            assertThat(err.lines().filter(line -> line.startsWith("off  Flight Recorder ended: ")))
                    .as(err)
                    .singleElement()
                    .asString()
                    .contains("process " + pid + " is stopped, by a signal or a debugger, and does not answer");
            assertThat(out)
                    .contains("Wrote " + file)
                    .contains("ended early: lock owners, Flight Recorder; interrupted");
            assertThat(TraceReader.read(file).warnings()).isEmpty();
            assertThat(left()).isEmpty();
        } finally {
            send("CONT", target);
        }
    }

    @Test
    void aTimeEndsItIfTheTargetIsStopped() throws Exception {
        Process recorder = recorder("--duration", "2s");
        send("STOP", target);
        try {
            String out = new String(recorder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(recorder.waitFor()).as(out).isZero();
            assertThat(out).contains("ended early: lock owners, Flight Recorder; the duration has elapsed");
        } finally {
            send("CONT", target);
        }
    }

    @Test
    void ctrlCWhileItStartsIsNoReasonToKeepQuietAboutTheSources() throws Exception {
        Process recorder = started();
        BufferedReader err = recorder.errorReader(StandardCharsets.UTF_8);
        String first = err.readLine();
        send("INT", recorder);
        String others = err.lines().collect(Collectors.joining("\n"));
        String out = new String(recorder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(recorder.waitFor()).isEqualTo(130);
        assertThat(first).contains("kernel scheduling");
        assertThat(others).contains("lock owners").contains("Flight Recorder");
        assertThat(out).contains("Wrote " + file).contains("interrupted");
        assertThat(left()).isEmpty();
    }

    @Test
    void whatAKilledOneHasWrittenCanBeRead() throws Exception {
        Process recorder = recorder();
        long written = Files.size(file);
        while (Files.size(file) < written + 1_000) { // some of it has come, whatever source it is of
            TimeUnit.MILLISECONDS.sleep(50);
        }
        send("KILL", recorder);
        recorder.waitFor();

        assertThat(TraceReader.read(file).warnings()).isEmpty();
        assertThat(TraceReader.read(file).slices().size()).isPositive();
        while (!left().isEmpty()) { // its helper process removes them
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
