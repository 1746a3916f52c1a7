package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
class ProcessTest {

    @Test
    void aReaderThatWentAwayIsNoFailure() throws Exception {
        Process process = start(Redirect.PIPE, List.of(), "--help");
        process.getInputStream().close(); // long before the JVM is up

        assertThat(errors(process)).isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/full")
    void aFullDiskIsToldInOneLine() throws Exception {
        Process process = start(Redirect.to(Path.of("/dev/full").toFile()), List.of(), "--help");

        assertThat(errors(process))
                .startsWith("unjank: cannot write the result: ")
                .hasLineCount(1);
        assertThat(process.exitValue()).isEqualTo(1);
    }

    @Test
    void aCommandLoadsNoClassesOfTheOthers() throws Exception {
        Process process = start(Redirect.PIPE, List.of("-Xlog:class+load"), "doctor", "--help");
        String log = text(process.getInputStream());

        assertThat(errors(process)).isEmpty();
        assertThat(log)
                .contains("dev.unjank.cli.DoctorCommand ")
                .doesNotContain("dev.unjank.cli.DemoCommand ")
                .doesNotContain("dev.unjank.cli.demo.")
                .doesNotContain("dev.unjank.looper.")
                .doesNotContain("dev.unjank.bench.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"doctor -", "bench doctor --mb 1"})
    void anInterruptedCommandEndsSilentlyAndLeavesNothing(String command, @TempDir Path temporary) throws Exception {
        Process process = start(
                Redirect.DISCARD, List.of("-Djava.io.tmpdir=" + temporary, "-XX:-UsePerfData"), command.split(" ", -1));
        while (process.isAlive() && filesIn(temporary) == 0) {
            Thread.onSpinWait();
        }
        process.toHandle().destroy(); // unlike the process, it leaves the streams open

        assertThat(errors(process)).isEmpty();
        assertThat(process.exitValue()).isNotZero();
        assertThat(filesIn(temporary)).isZero();
    }

    private static long filesIn(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).count();
        } catch (UncheckedIOException e) { // what was there has gone meanwhile
            return 0;
        }
    }

    private static Process start(Redirect out, List<String> jvmOptions, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Unjank.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectOutput(out).start();
    }

    private static String errors(Process process) throws Exception {
        String errors = text(process.getErrorStream());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return errors;
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
