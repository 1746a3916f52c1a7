package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.unjank.looper.fixture.ManualLooper;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Disabled features allocate nothing: a message costs as many bytes as in a looper on which nothing has ever been
 * enabled. The two loopers alternate, since the compiler's optimizations change with time. The measurement itself is
 * tested, too: it shows enabled features.
 */
@ParameterizedClass
@EnumSource
class ObserverOverheadTest {
    private static final int MESSAGES = 20_000;
    private static final int ROUNDS = 5;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Parameter
    QueueKind kind;

    private ManualLooper never;
    private ManualLooper loop;

    @BeforeEach
    void makeLoopers() {
        never = new ManualLooper(kind);
        loop = new ManualLooper(kind);
    }

    /** The additional bytes per message, compared with the looper that is never observed. */
    private long additionalBytes() {
        long plain = Long.MAX_VALUE;
        long measured = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            plain = Math.min(plain, bytesPerMessage(never));
            measured = Math.min(measured, bytesPerMessage(loop));
        }
        return measured - plain;
    }

    /** Bytes that this thread allocates for posting a Runnable and running it, on average. */
    private static long bytesPerMessage(ManualLooper loop) {
        Runnable nothing = () -> {};
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MESSAGES; i++) {
            loop.handler.post(nothing);
            Message m = loop.manager.poll();
            loop.manager.execute(m);
            loop.manager.recycle(m);
        }
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / MESSAGES;
    }

    @Test
    void statisticsThatAreClosedAllocateNothing() {
        LooperStats stats = LooperStats.of(loop.looper);
        assertThat(additionalBytes()).isPositive();
        stats.close();
        assertThat(additionalBytes()).isNotPositive();
    }

    @Test
    void aWatchdogThatIsClosedAllocatesNothing() {
        LooperWatchdog watchdog = new LooperWatchdog(Duration.ofHours(1));
        watchdog.watch(loop.looper);
        assertThat(additionalBytes()).isPositive();
        watchdog.close();
        assertThat(additionalBytes()).isNotPositive();
    }

    @Test
    void logsThatAreOffAllocateNothing() {
        loop.looper.setSlowLogThresholdMs(1_000, 1_000);
        loop.looper.setMessageLogging(line -> {});
        assertThat(additionalBytes()).isPositive();
        loop.looper.setSlowLogThresholdMs(0, 0);
        loop.looper.setMessageLogging(null);
        assertThat(additionalBytes()).isNotPositive();
    }

    @Test
    void aRecordingThatDoesNotAskForDeliveriesAllocatesNothing() {
        try (Recording recording = new Recording()) {
            recording.enable("dev.unjank.MessageDispatch").withThreshold(Duration.ofHours(1));
            recording.start();
            assertThat(loop.queue.observers()).as("all loopers are recorded").isNotNull();
            additionalBytes();
        }
        try (Recording recording = new Recording()) {
            recording.start();
            assertThat(loop.queue.observers()).isNull();
            assertThat(additionalBytes()).isNotPositive();
        }
    }
}
