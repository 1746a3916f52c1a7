package dev.unjank.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A benchmark that is interrupted, with the processes that it started. */
class InterruptedBenchmarkTest {

    @Test
    void anInterruptedBenchmarkSaysSoInOneLineAndLeavesNothing(@TempDir Path temporary) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Workbench.class.getName(),
                        "bench",
                        "doctor",
                        "--mb",
                        "1")
                .redirectOutput(Redirect.DISCARD)
                .start();
        while (process.isAlive() && filesIn(temporary) == 0) {
            Thread.onSpinWait();
        }
        process.toHandle().destroy(); // unlike the process, it leaves the streams open

        assertThat(process.getErrorStream().readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("unjank: interrupted before the end\n");
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
        assertThat(filesIn(temporary)).isZero();
    }

    private static long filesIn(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).count();
        } catch (UncheckedIOException e) { // a file was deleted meanwhile
            return 0;
        }
    }
}
