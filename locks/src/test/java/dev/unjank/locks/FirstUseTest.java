package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first use of a lock writes nothing to the console, with the JDK's default logging. */
class FirstUseTest {
    /** Uses a lock, and waits for the end of the trial. */
    static final class Program {
        public static void main(String[] args) {
            VipLock lock = new VipLock();
            lock.lock();
            try {
                if (PriorityTier.current() == null) {
                    throw new AssertionError();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Without an option of this project, as users start programs at first; with native access; with a tier. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:auto", "--enable-native-access=ALL-UNNAMED", "-Dunjank.locks.tier=ORDERING"})
    void writesNothing(String option) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(option);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String written = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(written).isEmpty();
        assertThat(process.exitValue()).isZero();
    }
}
