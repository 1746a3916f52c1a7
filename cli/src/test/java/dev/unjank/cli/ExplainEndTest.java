package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A signal during the report of {@code explain}, which may take long: the command ends at once, without a report. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplainEndTest {
    private static final String RECORDED = "Recorded ";

    @TempDir
    private Path temporary;

    @Test
    void aSignalDuringTheReportEndsTheCommand() throws Exception {
        Process explain = new ProcessBuilder(CommandProcessTest.command(
                        List.of("-Djava.io.tmpdir=" + temporary, "--enable-native-access=ALL-UNNAMED"),
                        List.of(
                                "explain",
                                "--for",
                                "100ms",
                                "--",
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                SleepingProgram.class.getName())))
                .start();
        try (BufferedReader said = explain.errorReader(StandardCharsets.UTF_8)) {
            String line = said.readLine();
            while (line != null && !line.startsWith(RECORDED)) {
                line = said.readLine();
            }
            assertThat(line).startsWith(RECORDED);
            explain.toHandle().destroy(); // leaves the streams open
            String rest = said.lines().collect(Collectors.joining("\n"));

            int code = explain.waitFor();
            assumeFalse(code == 0, "the report was faster than the signal");
            assertThat(code).isEqualTo(128 + 15);
            assertThat(rest).isEqualTo("unjank: interrupted before the end");
            try (var left = Files.list(temporary)) {
                assertThat(left).isEmpty();
            }
        } finally {
            explain.destroyForcibly();
        }
    }

    static final class SleepingProgram {
        private SleepingProgram() {}

        public static void main(String[] args) throws InterruptedException {
            Thread.sleep(60_000);
        }
    }
}
