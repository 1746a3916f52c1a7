package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A signal during the report of {@code explain}, which may take long: the command ends at once, without a report. After
 * a signal during the recording, it completes the report, unless there is a second one.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplainEndTest {
    private static final String RECORDED = "Recorded ";
    private static final String INTERRUPTED = "unjank: interrupted before the end";
    private static final int PIPE_BYTES = 1 << 16;

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
            assertThat(rest).isEqualTo(INTERRUPTED);
            assertThat(temporary).isEmptyDirectory();
        } finally {
            explain.destroyForcibly();
        }
    }

    @Test
    void afterASignalDuringTheRecordingTheReportIsCompleted() throws Exception {
        Process explain = explain("1h");
        try (BufferedReader said = explain.errorReader(StandardCharsets.UTF_8);
                BufferedReader report = explain.inputReader(StandardCharsets.UTF_8)) {
            awaitLine(said, "Recording ");
            explain.toHandle().destroy();
            assertThat(report.lines()).isNotEmpty();
            assertThat(said.lines()).last().asString().startsWith("Deleted the recording");

            assertThat(explain.waitFor()).isEqualTo(128 + 15);
            assertThat(temporary).isEmptyDirectory();
        } finally {
            explain.destroyForcibly();
        }
    }

    /** The report does not end by itself: it is written to a full pipe. */
    @Test
    void aSecondSignalDuringTheReportEndsTheCommand() throws Exception {
        Path pipe = temporary.resolveSibling(temporary.getFileName() + "-pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "there is no mkfifo here");
        try (FileChannel full = FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            full.write(ByteBuffer.allocate(PIPE_BYTES));
            Process explain = explain("1h", Redirect.to(pipe.toFile()));
            try (BufferedReader said = explain.errorReader(StandardCharsets.UTF_8)) {
                awaitLine(said, "Recording ");
                explain.toHandle().destroy();
                awaitLine(said, RECORDED);
                explain.toHandle().destroy();

                assertThat(said.lines()).containsExactly(INTERRUPTED);
                assertThat(explain.waitFor()).isEqualTo(128 + 15);
                assertThat(temporary).isEmptyDirectory();
            } finally {
                explain.destroyForcibly();
            }
        } finally {
            Files.delete(pipe);
        }
    }

    /** The page is complete or absent at whatever moment the signal comes. */
    @Test
    void aSecondSignalLeavesNoHalfPage() throws Exception {
        Path page = Files.createDirectory(temporary.resolve("pages")).resolve("page.html");
        Process explain = explain("1h", Redirect.PIPE, "--page", page.toString());
        try (BufferedReader said = explain.errorReader(StandardCharsets.UTF_8)) {
            awaitLine(said, "Recording ");
            explain.toHandle().destroy();
            awaitLine(said, RECORDED);
            explain.toHandle().destroy();

            assertThat(explain.waitFor()).isEqualTo(128 + 15);
            if (Files.exists(page)) {
                assertThat(page).content().endsWith("</html>\n");
                Files.delete(page);
            }
            Files.delete(page.getParent());
            assertThat(temporary).isEmptyDirectory();
        } finally {
            explain.destroyForcibly();
        }
    }

    private Process explain(String duration) throws IOException {
        return explain(duration, Redirect.PIPE);
    }

    private Process explain(String duration, Redirect output, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("explain", "--for", duration));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SleepingProgram.class.getName()));
        return new ProcessBuilder(CommandProcessTest.command(
                        List.of("-Djava.io.tmpdir=" + temporary, "--enable-native-access=ALL-UNNAMED"), arguments))
                .redirectOutput(output)
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
