package dev.unjank.workbench.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TimedProcessTest {
    private static final long HELD = 64 << 20;
    private static final long WORKED_NANOS = 500_000_000;

    /** What a process does that was started by another one. */
    static final class Grandchild {
        private Grandchild() {}

        public static void main(String[] args) throws InterruptedException {
            byte[] held = new byte[Math.toIntExact(HELD)];
            while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < WORKED_NANOS) {
                Thread.onSpinWait();
            }
            Thread.sleep(1_000); // long enough to be found
            System.exit(held[held.length - 1]);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theMemoryAndTheTimeOfWhatACommandStartsCount() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = Path.of(Grandchild.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        List<String> command = List.of(
                "sh",
                "-c",
                "\"$0\" \"$@\"; exit $?",
                java,
                "-XX:+UseSerialGC",
                "-Xmn96m",
                "-cp",
                classes,
                Grandchild.class.getName());

        TimedProcess child = TimedProcess.run(command, Duration.ofMinutes(1));

        assertThat(child.peakBytes()).isGreaterThan(HELD);
        assertThat(child.cpuSeconds()).isGreaterThan(0.9 * WORKED_NANOS / 1e9).isLessThan(child.seconds());
    }
}
