package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.LauncherExample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a process of its own can show. */
public class CommandProcessTest {
    private static final String INTERRUPTED = "unjank: interrupted before the end\n";

    @Test
    void aReaderThatWentAwayIsNoFailure() throws Exception {
        Process process = start(Redirect.PIPE, List.of(), "--help");
        process.getInputStream().close(); // long before the JVM is up

        assertThat(errors(process)).isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/full")
    void aFullDiskIsReportedInOneLine() throws Exception {
        Process process = start(Redirect.to(Path.of("/dev/full").toFile()), List.of(), "--help");

        assertThat(errors(process))
                .startsWith("unjank: cannot write to standard output: ")
                .hasLineCount(1);
        assertThat(process.exitValue()).isEqualTo(1);
    }

    @Test
    void aCommandLoadsNoClassesOfTheOthers() throws Exception {
        Process process = start(Redirect.PIPE, List.of("-Xlog:class+load"), "doctor", "--help");
        String log = text(process.getInputStream());

        assertThat(errors(process)).isEmpty();
        assertThat(log)
                .contains("dev.unjank.cli.command.DoctorCommand ")
                .doesNotContain("dev.unjank.cli.command.DemoCommand ")
                .doesNotContain("dev.unjank.cli.demo.")
                .doesNotContain("dev.unjank.looper.")
                .doesNotContain("dev.unjank.workbench.");
    }

    @Test
    void anInterruptedCommandSaysSoInOneLineAndLeavesNothing(@TempDir Path temporary) throws Exception {
        Process process =
                start(Redirect.DISCARD, List.of("-Djava.io.tmpdir=" + temporary, "-XX:-UsePerfData"), "doctor", "-");
        while (process.isAlive() && filesIn(temporary) == 0) {
            Thread.onSpinWait();
        }
        process.toHandle().destroy(); // unlike the process, it leaves the streams open

        assertThat(errors(process)).isEqualTo(INTERRUPTED);
        assertThat(process.exitValue()).isNotZero();
        assertThat(filesIn(temporary)).isZero();
    }

    /** The first statement's rows are written, the second never ends. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs the signals of Unix")
    void controlCEndsAQueryAndLeavesItsFileAsItWas(boolean toAFile, @TempDir Path folder) throws Exception {
        Path trace = Files.write(folder.resolve("example.pftrace"), LauncherExample.trace());
        Path result = Files.writeString(folder.resolve("result.csv"), "what was there");
        String rows = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t";
        String statements = rows + " WHERE n < 20000) SELECT n FROM t; " + rows + ") SELECT count(*) FROM t";
        List<String> arguments = new ArrayList<>(List.of("query", trace.toString(), statements, "--format", "csv"));
        if (toAFile) {
            arguments.addAll(List.of("-o", result.toString()));
        }
        Process process = new ProcessBuilder(
                        UnixSignals.heard(command(List.of("--enable-native-access=ALL-UNNAMED"), arguments)))
                .start();
        if (toAFile) {
            while (process.isAlive() && bytesBeside(folder, trace, result) == 0) {
                Thread.onSpinWait();
            }
        } else {
            assertThat(process.getInputStream().readNBytes(4)).asString().isEqualTo("\"n\"\n");
        }
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();

        assertThat(errors(process)).isEqualTo(INTERRUPTED);
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(result).hasContent("what was there");
        assertThat(filesIn(folder)).as("files").isEqualTo(2);
    }

    private static long bytesBeside(Path folder, Path... others) throws IOException {
        long bytes = 0;
        try (Stream<Path> paths = Files.list(folder)) {
            for (Path path :
                    paths.filter(path -> !List.of(others).contains(path)).toList()) {
                bytes += Files.size(path);
            }
        }
        return bytes;
    }

    private static long filesIn(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).count();
        } catch (UncheckedIOException e) { // what was there has gone meanwhile
            return 0;
        }
    }

    private static Process start(Redirect out, List<String> jvmOptions, String... args) throws IOException {
        return new ProcessBuilder(command(jvmOptions, List.of(args)))
                .redirectOutput(out)
                .start();
    }

    public static List<String> command(List<String> jvmOptions, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Unjank.class.getName()));
        command.addAll(args);
        return command;
    }

    public static String errors(Process process) throws Exception {
        String errors = text(process.getErrorStream());
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        return errors;
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
