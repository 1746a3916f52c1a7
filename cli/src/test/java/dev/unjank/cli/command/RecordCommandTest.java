package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.CommandRun;
import dev.unjank.cli.Unjank;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The command on a process that does nothing but sleep. What needs the kernel's tracing is skipped where that cannot be
 * had.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the target is Linux's cat")
class RecordCommandTest {
    @TempDir
    private Path folder;

    private Process target;
    private String pid;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        target = new ProcessBuilder("cat").redirectOutput(Redirect.DISCARD).start();
        pid = Long.toString(target.pid());
        file = folder.resolve("recorded.pftrace");
    }

    @AfterEach
    void stop() {
        target.destroyForcibly();
    }

    private void assumeTracing() {
        SourceAvailability kernel = new KernelSource((int) target.pid(), false, false).probe();
        assumeTrue(kernel.isOn(), () -> "needs root and tracefs: " + kernel);
    }

    @Test
    void recordsForAWhile() throws IOException {
        assumeTracing();

        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", file.toString(), "--duration", "300ms");

        assertThat(run.err()).contains("on   kernel scheduling: process " + pid);
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Wrote " + file)
                .containsPattern(
                        " [0-9]+\\.[0-9] s, [0-9,]+ events, none lost; without lock owners, Flight Recorder; the duration has elapsed")
                .contains("unjank doctor " + file);
        Trace trace = TraceReader.read(file);
        assertThat(trace.warnings()).isEmpty();
        assertThat(trace.hasScheduling()).isTrue();
        int utid = trace.threads().find((int) target.pid(), trace.endNs());
        assertThat(trace.threads().name(utid)).isEqualTo("cat");
    }

    @Test
    void endsWithTheProcess() throws Exception {
        assumeTracing();
        Process recorder = recorder();
        target.destroyForcibly();

        assertThat(lastLine(recorder)).contains("the process has ended");
        assertThat(recorder.exitValue()).isZero();
        assertThat(TraceReader.read(file).warnings()).isEmpty();
    }

    @Test
    void anInterruptionEndsItWell() throws Exception {
        assumeTracing();
        Process recorder = recorder();
        recorder.toHandle().destroy(); // as Ctrl-C does, with another signal

        assertThat(lastLine(recorder)).contains("Wrote " + file).contains("interrupted");
        assertThat(recorder.exitValue()).isEqualTo(143); // 130 for Ctrl-C's own signal
        assertThat(TraceReader.read(file).warnings()).isEmpty();
    }

    @Test
    void theMachineHasMoreCpusThanTheRecorderMayUse() throws Exception {
        assumeTracing();
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "needs two CPUs");
        assumeTrue(run("taskset", "-c", "0", "true") == 0, "needs taskset");
        Process recorder = recorder("taskset", "-c", "0");
        recorder.toHandle().destroy();
        lastLine(recorder);

        assertThat(TraceReader.read(file).machine().facts().get("num_cpus"))
                .asInt()
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }

    /** A recorder in a process of its own that has begun. */
    private Process recorder(String... before) throws IOException {
        List<String> command = new ArrayList<>(List.of(before));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Unjank.class.getName(),
                "record",
                "--pid",
                pid,
                "-o",
                file.toString(),
                "--ring",
                "4MB"));
        Process recorder = new ProcessBuilder(command).start();
        BufferedReader err =
                new BufferedReader(new InputStreamReader(recorder.getErrorStream(), StandardCharsets.UTF_8));
        assertThat(err.readLine()).startsWith("on   kernel scheduling");
        while (recorder.isAlive() && (Files.notExists(file) || Files.size(file) == 0)) {
            LockSupport.parkNanos(1_000_000);
        }
        return recorder;
    }

    private static String lastLine(Process recorder) throws Exception {
        String out = new String(recorder.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(recorder.waitFor(300, TimeUnit.SECONDS)).isTrue();
        return out;
    }

    @Test
    void aProcessThatIsNotThereIsReported() {
        CommandRun run = CommandRun.of("record", "--pid", "1999999999", "-o", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("unjank record: no such process: 1999999999; jcmd lists Java processes\n");
        assertThat(file).doesNotExist();
    }

    @Test
    void itDoesNotRecordItself() {
        CommandRun run = CommandRun.of(
                "record", "--pid", Long.toString(ProcessHandle.current().pid()));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("is unjank itself");
    }

    @Test
    void theNumberOfAThreadNamesItsProcess() throws IOException {
        long self = ProcessHandle.current().pid();
        String thread;
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            thread = threads.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals(Long.toString(self)))
                    .findFirst()
                    .orElseThrow();
        }

        CommandRun run = CommandRun.of("record", "--pid", thread, "-o", file.toString(), "--duration", "1s");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(
                        "unjank record: " + thread + " is a thread of process " + self + "; use --pid " + self + "\n");
    }

    @Test
    void aProcessThatHasEndedIsRefusedWhileItsParentHasNotNoticed() throws IOException {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & echo $!; exec sleep 1000").start();
        try {
            String zombie = parent.inputReader(StandardCharsets.UTF_8).readLine();
            while (!Files.readString(Path.of("/proc", zombie, "stat")).contains(") Z ")) {
                LockSupport.parkNanos(1_000_000);
            }

            CommandRun run = CommandRun.of("record", "--pid", zombie, "-o", file.toString(), "--duration", "1s");

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).isEqualTo("unjank record: process " + zombie + " has ended\n");
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void anEmptyFileNameIsReported() {
        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", "");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("unjank record: the file name after -o is empty (expected a file)\n");
    }

    /** The recorder appends to the name of a new file. */
    @Test
    void aNameThatIsTooLongForItsFilesIsReportedWithoutThem() {
        Path tooLong = folder.resolve("a".repeat(206) + "\u00e9.pftrace");

        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", tooLong.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("unjank record: " + tooLong + ": the name is too long; choose one of at most 215 bytes\n");
    }

    @Test
    void theLongestNameIsWritten() {
        assumeTracing();
        Path longest = folder.resolve("a".repeat(207) + ".pftrace");

        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", longest.toString(), "--duration", "100ms");

        assertThat(run.code()).as("%s", run.err()).isZero();
        assertThat(longest).exists();
    }

    @Test
    void theTraceHasTheRequestedDuration() throws IOException {
        assumeTracing();

        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", file.toString(), "--duration", "500ms");

        Matcher figures = Pattern.compile(", ([0-9.]+) s, ").matcher(run.out());
        assertThat(figures.find()).as(run.out()).isTrue();
        Trace trace = TraceReader.read(file);
        assertThat((trace.endNs() - trace.startNs()) / 1e9).isBetween(0.45, Double.parseDouble(figures.group(1)) + 0.3);
    }

    @Test
    void namesOfOtherProcessesAreLeftOutOnDemand() throws IOException {
        assumeTracing();

        CommandRun run = CommandRun.of(
                "record", "--pid", pid, "-o", file.toString(), "--duration", "500ms", "--no-other-names", "--system");

        assertThat(run.code()).isZero();
        Trace trace = TraceReader.read(file);
        Set<String> names = new TreeSet<>();
        for (int upid = 0; upid < trace.processes().size(); upid++) {
            names.add(String.valueOf(trace.processes().name(upid)));
        }
        for (int utid = 1; utid < trace.threads().size(); utid++) {
            names.add(String.valueOf(trace.threads().name(utid)));
        }
        names.remove("null");
        assertThat(names).containsExactly("another-program", "cat");
    }

    @Test
    void whatARingDropsIsNotLost() throws IOException {
        assumeTracing();

        CommandRun run = CommandRun.of(
                "record", "--pid", pid, "-o", file.toString(), "--duration", "3s", "--ring", "1s", "--system");

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern(" [0-9]+\\.[0-9] s, [0-9,]+ events, none lost, [1-9][0-9,]* older ones dropped");
        Trace trace = TraceReader.read(file);
        assertThat((trace.endNs() - trace.startNs()) / 1e9)
                .as("the last second, and more where the machine stood still")
                .isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void theSmallestRingIsAsItIsSaidToBe() {
        assertThat(new AmountConverters.Ring().convert("1MB")).isEqualTo(Rotation.ofBytes(1_000_000));
    }

    @ParameterizedTest
    @CsvSource({
        "--ring, 10kB, must not be smaller than 1MB",
        "--ring, 999kB, must not be smaller than 1MB",
        "--ring, 5, must be a size such as 64MB",
        "--ring, 5ms, must be a size such as 64MB",
        "--duration, 5 parsecs, must be a time such as 10s",
        "--duration, 0s, must be a time such as 10s",
    })
    void amountsThatMakeNoSenseAreReported(String option, String value, String mistake) {
        CommandRun run = CommandRun.of("record", "-o", file.toString(), "--pid", pid, option, value);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(option).contains(mistake).hasLineCount(1);
        assertThat(file).doesNotExist();
    }

    @Test
    void aFullDiskEndsItAndWhatWasWrittenIsWhole() throws Exception {
        assumeTracing();
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk.toString()) == 0,
                "a small disk cannot be made here");
        try {
            Path full = disk.resolve("full.pftrace");
            CommandRun run;
            try (Restlessness _ = new Restlessness()) {
                run = CommandRun.of("record", "--pid", pid, "-o", full.toString(), "--system", "--duration", "2m");
            }

            assertThat(run.code()).as(run.err()).isEqualTo(2);
            assertThat(run.err().lines().filter(line -> !line.startsWith("on ") && !line.startsWith("off ")))
                    .singleElement()
                    .asString()
                    .startsWith("unjank record: the recording could not be finished: No space left on device; the data"
                            + " written before is complete (")
                    .endsWith("). Next: unjank doctor " + full);
            assertThat(run.out()).isEmpty();
            Trace trace = TraceReader.read(full);
            assertThat(trace.warnings()).isEmpty();
            assertThat(trace.hasScheduling()).isTrue();
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    /** In a mount namespace of its own: what is taken from it stays with the machine's other recorders. */
    @Test
    void tracingThatIsTakenAwayIsReportedAndTheFileIsWhole() throws Exception {
        assumeTracing();
        assumeTrue(run("unshare", "-m", "true") == 0, "needs unshare, and to be let use it");
        Process recorder = recorder("unshare", "-m");
        assertThat(run("nsenter", "-m", "-t", Long.toString(recorder.pid()), "umount", "-l", "-a", "-t", "tracefs"))
                .isZero();
        String err = new String(recorder.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(recorder.waitFor()).as(err).isEqualTo(2);
        assertThat(err)
                .contains("off  kernel scheduling ended: ", ": no such file or directory\n")
                .contains("the recording is complete, but cleanup failed: kernel scheduling: ")
                .containsPattern("kernel scheduling: cannot remove \\S+: the tracing file system has been unmounted");
        assertThat(TraceReader.read(file).warnings()).isEmpty();
        CommandRun next = CommandRun.of("record", "--pid", pid, "-o", file.toString(), "--duration", "100ms");
        assertThat(next.code())
                .as("the next recorder removes it: %s", next.err())
                .isZero();
    }

    @Test
    void aDeviceIsRefused() {
        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", "/dev/full", "--duration", "1s");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("unjank record: /dev/full: is a pipe, a socket or a device; specify a regular file\n");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aLinkIsRefused() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "another file");
        Files.createSymbolicLink(file, victim);

        CommandRun run = CommandRun.of("record", "--pid", pid, "-o", file.toString(), "--duration", "1s");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("unjank record: " + file + ": is a symbolic link; specify the file itself\n");
        assertThat(victim).hasContent("another file");
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Two threads that hand something to each other all the time, so that there is much to be recorded. */
    private static final class Restlessness implements AutoCloseable {
        private final SynchronousQueue<Integer> hands = new SynchronousQueue<>();
        private final Thread giver = Thread.ofPlatform().daemon().start(() -> repeat(() -> hands.put(1)));
        private final Thread taker = Thread.ofPlatform().daemon().start(() -> repeat(hands::take));

        private interface Step {
            void run() throws InterruptedException;
        }

        private static void repeat(Step step) {
            try {
                while (true) {
                    step.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            giver.interrupt();
            taker.interrupt();
        }
    }

    @Test
    void aPlaceThatCannotBeWrittenIsReported() {
        for (String place :
                List.of(folder.toString(), folder.resolve("none/x.pftrace").toString())) {
            CommandRun run = CommandRun.of("record", "--pid", pid, "-o", place, "--duration", "1s");

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).startsWith("unjank record: " + place).hasLineCount(1);
        }
        assertThat(Files.exists(folder.resolve("none"))).isFalse();
    }
}
