package dev.unjank.workbench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A resource that is being opened when a signal ends the process. */
class ShutdownGuardTest {
    /** Begins only after a line of input. */
    static final class Slow {
        private Slow() {}

        public static void main(String[] args) throws IOException {
            try (ShutdownGuard guard = ShutdownGuard.early()) {
                System.out.println("beginning");
                if (System.in.read() == 'f') {
                    throw new IOException("it cannot begin");
                }
                try (AutoCloseable _ = guard.keep(() -> System.out.println("closed"))) {
                    TimeUnit.MINUTES.sleep(1);
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"it begins", "fails"})
    void theProcessEndsWhenThatHasBegunAndEndedAgain(String line) throws Exception {
        assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "needs signals");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Slow.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            BufferedReader says = process.inputReader(StandardCharsets.UTF_8);
            assertThat(says.readLine()).isEqualTo("beginning");
            process.toHandle().destroy();
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();

            boolean fails = line.startsWith("f");
            assertThat(says.readLine()).isEqualTo(fails ? null : "closed");
            assertThat(process.waitFor()).isIn(143, fails ? 1 : 143); // it may fail before the signal comes
        } finally {
            process.destroyForcibly();
        }
    }
}
