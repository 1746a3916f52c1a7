package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.read.TraceReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command ends soon when it is asked to, by SIGTERM or by its {@code --duration}, whatever the target does: one
 * that does not answer, one that answers without end, and a helper process that has been stopped.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class HostileEndTest {
    /**
     * It takes 0.2 to 1.9 s on a quiet machine, and 5 s on two CPUs with a load of 27. Without limits at the end it
     * takes 16 s and more: this test finds a step without a limit, or one whose limit is ignored. That the limits of
     * all steps are two seconds together is checked where they are defined (EndLimitsTest).
     */
    private static final Duration LONGEST = Duration.ofSeconds(14);

    /** For what is left behind in the target: its folder, where the helper had to be killed. */
    private static final int MISTAKE = 2;

    private static final String STOPPED = "stopped helper";
    private static final Duration DURATION = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    private Process target;
    private Process recorder;
    private Path file;

    private void start(String way) throws IOException {
        target = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+DisableAttachMechanism",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HostileProgram.class.getName(),
                        way)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        assertThat(target.inputReader(StandardCharsets.UTF_8).readLine())
                .as(this::errors)
                .isEqualTo("ready");
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void record(String... options) throws IOException {
        file = folder.resolve("hostile.pftrace");
        List<String> arguments =
                new ArrayList<>(List.of("record", "--pid", Long.toString(target.pid()), "-o", file.toString()));
        arguments.addAll(List.of(options));
        recorder = new ProcessBuilder(
                        CommandProcessTest.command(List.of("--enable-native-access=ALL-UNNAMED"), arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private String said() throws IOException {
        return Files.readString(folder.resolve("said"));
    }

    /**
     * Waits until the target has been asked what it does not answer; what it is asked at the end only, until it is
     * recorded.
     */
    private void awaitAttack(String way) throws IOException {
        if (way.endsWith("JFR.stop") || way.equals(STOPPED)) {
            awaitFlightRecorder();
        } else {
            BufferedReader says = target.inputReader(StandardCharsets.UTF_8);
            assertThat(says.readLine()).as(said()).isEqualTo("asked");
        }
    }

    /** What it is asked at the end it has been asked by now. */
    private void assertWasAttacked(String way) throws IOException {
        if (way.endsWith("JFR.stop")) {
            BufferedReader says = target.inputReader(StandardCharsets.UTF_8);
            assertThat(says.ready())
                    .as("the target was asked for it; %s", said())
                    .isTrue();
            assertThat(says.readLine()).isEqualTo("asked");
        }
    }

    private void awaitFlightRecorder() throws IOException {
        while (!said().contains("on   Flight Recorder") && recorder.isAlive()) {
            LockSupport.parkNanos(1_000_000);
        }
        awaitRecording();
    }

    private void awaitRecording() throws IOException {
        while (size() == 0 && recorder.isAlive()) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(recorder.isAlive()).as(said()).isTrue();
    }

    private long size() throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    private void stopHelper() throws Exception {
        ProcessHandle helper = recorder.descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("dev.unjank.record.helper.HelperMain"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no helper"));
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(helper.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void assertEnds(String what, long since, int code) throws Exception {
        boolean hasEnded = recorder.waitFor(LONGEST.multipliedBy(10).toSeconds(), TimeUnit.SECONDS);
        Duration took = Duration.ofNanos(System.nanoTime() - since);
        System.out.printf("%s: the command has ended after %d ms%n", what, took.toMillis());
        assertThat(hasEnded).as(said()).isTrue();
        assertThat(took).as(said()).isLessThan(LONGEST);
        boolean isLeftBehind = said().contains("the recording is complete, but cleanup failed");
        assertThat(recorder.exitValue()).as(said()).isEqualTo(isLeftBehind && code == 0 ? MISTAKE : code);
        if (size() > 0) {
            assertThat(TraceReader.read(file).warnings()).allMatch(warning -> warning.contains("packets were lost"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "silent properties",
                "silent load",
                "silent JFR.start",
                "silent JFR.stop",
                "endless JFR.stop",
                STOPPED
            })
    void aSignalEndsIt(String way) throws Exception {
        start(way);
        record();
        awaitAttack(way);
        if (way.equals(STOPPED)) {
            stopHelper();
        }
        long asked = System.nanoTime();
        recorder.toHandle().destroy();
        assertEnds("SIGTERM, " + way, asked, 143);
        assertWasAttacked(way);
    }

    /** What is not answered at the start has a limit of its own: see the other test. */
    @ParameterizedTest
    @ValueSource(strings = {"silent JFR.stop", "endless JFR.stop", STOPPED})
    void itsDurationEndsIt(String way) throws Exception {
        start(way);
        record("--duration", DURATION.toSeconds() + "s");
        awaitFlightRecorder();
        long begun = System.nanoTime();
        if (way.equals(STOPPED)) {
            stopHelper();
        }
        assertEnds("--duration, " + way, begun + DURATION.toNanos(), 0);
        assertWasAttacked(way);
    }

    @AfterEach
    void stop() throws IOException {
        for (Process process : new Process[] {recorder, target}) {
            if (process != null) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        if (target != null) { // of a helper that was killed, and of a target that is no more
            Files.deleteIfExists(Path.of("/tmp/.java_pid" + target.pid()));
            for (Path left : listed("/tmp", "unjank-" + target.pid() + "-")) {
                for (Path each : listed(left.toString(), "")) {
                    Files.delete(each);
                }
                Files.delete(left);
            }
        }
    }

    private static List<Path> listed(String folder, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(each -> each.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }
}
