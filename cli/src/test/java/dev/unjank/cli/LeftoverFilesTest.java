package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.LauncherExample;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What commands leave that are ended by SIGKILL is deleted by the next run. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere nothing is deleted")
class LeftoverFilesTest {
    @TempDir
    private Path folder;

    private Process start(List<String> arguments) throws Exception {
        return new ProcessBuilder(CommandProcessTest.command(
                        List.of("-Djava.io.tmpdir=" + temporary(), "--enable-native-access=ALL-UNNAMED"), arguments))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    private Path temporary() throws Exception {
        return Files.createDirectories(folder.resolve("tmp"));
    }

    private static List<Path> in(Path where, String begin) throws Exception {
        try (Stream<Path> all = Files.list(where)) {
            return all.filter(each -> each.getFileName().toString().startsWith(begin))
                    .toList();
        }
    }

    /** Kills a command that reads its trace from a pipe, when a file is there. */
    private void kill(List<String> arguments, Path where, String begin) throws Exception {
        Process process = start(arguments);
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write(LauncherExample.trace());
            pipe.flush();
            while (process.isAlive() && in(where, begin).isEmpty()) {
                Thread.onSpinWait();
            }
            process.destroyForcibly();
            assertThat(process.waitFor()).isEqualTo(128 + 9);
        } catch (IOException e) {
            assertThat(process.isAlive()).as("the pipe is broken: " + e).isFalse();
        }
        assertThat(in(where, begin)).hasSize(1);
    }

    private void run(List<String> arguments) throws Exception {
        Process process = start(arguments);
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write(LauncherExample.trace());
        }
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void theCopyOfStandardInputIsDeleted() throws Exception {
        kill(List.of("doctor", "-"), temporary(), "unjank-stdin-");
        Path other = Files.createDirectory(temporary().resolve("unjank-stdin-notes"));

        run(List.of("doctor", "-"));

        assertThat(in(temporary(), "unjank-stdin-")).containsExactly(other);
    }

    /** The jar is the agent's that holds a started program, the folder the recording's of {@code explain}. */
    @Test
    void whatExplainHasLeftIsDeletedByTheNextRecording() throws Exception {
        Process program = new ProcessBuilder("sleep", "1000").start();
        try {
            Process explain = start(List.of("explain", "--for", "100s", "--", "java", "-version"));
            while (explain.isAlive() && in(temporary(), "unjank-hold-").isEmpty()) {
                Thread.onSpinWait();
            }
            explain.destroyForcibly();
            assertThat(explain.waitFor()).isEqualTo(128 + 9);
            assertThat(in(temporary(), "unjank-explain-")).hasSize(1);
            assertThat(in(temporary(), "unjank-hold-")).hasSize(1);
            Path other = Files.createDirectory(temporary().resolve("unjank-explain-notes"));

            Process next = start(List.of(
                    "record",
                    "--pid",
                    Long.toString(program.pid()),
                    "--duration",
                    "100ms",
                    "-o",
                    folder.resolve("next.pftrace").toString()));
            assertThat(next.waitFor(300, TimeUnit.SECONDS)).isTrue();
            assertThat(in(temporary(), "unjank-explain-")).containsExactly(other);
            assertThat(in(temporary(), "unjank-hold-")).isEmpty();
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void whatWasWrittenBesideAResultIsDeleted() throws Exception {
        Path result = folder.resolve("result.csv");
        List<String> query = List.of("query", "-", "SELECT 1 AS x", "--format", "csv", "-o", result.toString());
        kill(query, folder, ".unjank-");
        assertThat(result).doesNotExist();

        run(query);

        assertThat(in(folder, ".unjank-")).isEmpty();
        assertThat(result).content().contains("\"x\"");
    }
}
