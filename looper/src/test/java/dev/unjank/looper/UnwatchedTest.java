package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is switched off allocates nothing: a message costs as many bytes as it did when nothing had ever been on. And the
 * measure itself is tested: what is on can be seen in it.
 */
@ParameterizedClass
@EnumSource
class UnwatchedTest {
    private static final int MESSAGES = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Parameter
    QueueKind kind;

    /** Bytes that this thread allocates for posting a Runnable and running it, on average. */
    private static long bytesPerMessage(ByHand loop) {
        Runnable nothing = () -> {};
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < MESSAGES; i++) {
                loop.handler.post(nothing);
                Message m = loop.manager.poll();
                loop.manager.execute(m);
                loop.manager.recycle(m);
            }
            least = Math.min(least, (THREADS.getCurrentThreadAllocatedBytes() - before) / MESSAGES);
        }
        return least;
    }

    @Test
    void whatHasBeenSwitchedOffAllocatesNothing() {
        ByHand loop = new ByHand(kind);
        long plain = bytesPerMessage(loop);

        LooperStats stats = LooperStats.of(loop.looper);
        long withStats = bytesPerMessage(loop);
        stats.close();
        assertThat(bytesPerMessage(loop))
                .as("statistics off")
                .isLessThanOrEqualTo(plain)
                .isLessThan(withStats);

        LooperWatchdog watchdog = new LooperWatchdog(Duration.ofHours(1));
        watchdog.watch(loop.looper);
        long withWatchdog = bytesPerMessage(loop);
        watchdog.close();
        assertThat(bytesPerMessage(loop))
                .as("watchdog off")
                .isLessThanOrEqualTo(plain)
                .isLessThan(withWatchdog);

        loop.looper.setSlowLogThresholdMs(1_000, 1_000);
        long withSlowLog = bytesPerMessage(loop);
        loop.looper.setSlowLogThresholdMs(0, 0);
        assertThat(bytesPerMessage(loop))
                .as("slow log off")
                .isLessThanOrEqualTo(plain)
                .isLessThan(withSlowLog);

        loop.looper.setMessageLogging(line -> {});
        long withLog = bytesPerMessage(loop);
        loop.looper.setMessageLogging(null);
        assertThat(bytesPerMessage(loop))
                .as("message log off")
                .isLessThanOrEqualTo(plain)
                .isLessThan(withLog);
    }

    @Test
    void aRecordingThatDoesNotAskForDeliveriesAllocatesNothing() {
        ByHand loop = new ByHand(kind);
        long plain = bytesPerMessage(loop);
        try (Recording recording = new Recording()) {
            recording.start();
            assertThat(bytesPerMessage(loop)).isLessThanOrEqualTo(plain);
        }
        try (Recording recording = new Recording()) {
            recording.enable("dev.unjank.MessageDispatch").withThreshold(Duration.ofHours(1));
            recording.start();
            assertThat(bytesPerMessage(loop)).isGreaterThan(plain);
        }
        assertThat(bytesPerMessage(loop)).isLessThanOrEqualTo(plain);
    }
}
