package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A signal during the report of {@code explain}, which may take long: the command ends at once, without a report. After
 * a signal during the recording, it completes the report.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplainEndTest {
    private static final String RECORDED = "Recorded ";

    @TempDir
    private Path temporary;

    @Test
    void aSignalDuringTheReportEndsTheCommand() throws Exception {
        Process explain = explain("100ms");
        try (BufferedReader said = explain.errorReader(StandardCharsets.UTF_8)) {
            awaitLine(said, RECORDED);
            explain.toHandle().destroy(); // leaves the streams open
            String rest = said.lines().collect(Collectors.joining("\n"));

            int code = explain.waitFor();
            assumeFalse(code == 0, "the report was faster than the signal");
            assertThat(code).isEqualTo(128 + 15);
            assertThat(rest).isEqualTo("unjank: interrupted before the end");
            assertThat(temporary).isEmptyDirectory();
        } finally {
            explain.destroyForcibly();
        }
    }

    /** A signal during the recording asks for the report, so a second one does not end that. */
    @Test
    void afterASignalDuringTheRecordingTheReportIsCompleted() throws Exception {
        Process explain = explain("1h");
        try (BufferedReader said = explain.errorReader(StandardCharsets.UTF_8);
                BufferedReader report = explain.inputReader(StandardCharsets.UTF_8)) {
            awaitLine(said, "Recording ");
            explain.toHandle().destroy();
            awaitLine(said, RECORDED);
            explain.toHandle().destroy();
            assertThat(report.lines()).isNotEmpty();
            assertThat(said.lines()).last().asString().startsWith("Deleted the recording");

            assertThat(explain.waitFor()).isEqualTo(128 + 15);
            assertThat(temporary).isEmptyDirectory();
        } finally {
            explain.destroyForcibly();
        }
    }

    private Process explain(String duration) throws IOException {
        return new ProcessBuilder(CommandProcessTest.command(
                        List.of("-Djava.io.tmpdir=" + temporary, "--enable-native-access=ALL-UNNAMED"),
                        List.of(
                                "explain",
                                "--for",
                                duration,
                                "--",
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                SleepingProgram.class.getName())))
                .start();
    }

    private static void awaitLine(BufferedReader said, String begin) throws IOException {
        String line = said.readLine();
        while (line != null && !line.startsWith(begin)) {
            line = said.readLine();
        }
        assertThat(line).startsWith(begin);
    }

    static final class SleepingProgram {
        private SleepingProgram() {}

        public static void main(String[] args) throws InterruptedException {
            Thread.sleep(60_000);
        }
    }
}
