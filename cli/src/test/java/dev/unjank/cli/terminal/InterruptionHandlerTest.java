package dev.unjank.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For how long an interrupted command is waited for that does not come to its end. */
class InterruptionHandlerTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void aCommandThatGetsOnIsWaitedFor() {
        AtomicLong asked = new AtomicLong();
        InterruptionHandler interruption = new InterruptionHandler(SHORT);
        interruption.watch(() -> Math.min(asked.incrementAndGet(), 10));

        interruption.run();

        assertThat(interruption.isWanted()).isTrue();
        assertThat(asked).hasValueGreaterThan(10);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongReportIsAwaited() throws InterruptedException {
        InterruptionHandler interruption = new InterruptionHandler(SHORT);
        interruption.awaitEnd();
        Thread hook = Thread.ofPlatform().daemon().start(interruption::run);

        assertThat(hook.join(SHORT.multipliedBy(50))).as("given up").isFalse();
        assertThat(interruption.isWanted()).isTrue();
        hook.interrupt();
    }

    @Test
    void oneThatDoesNotIsGivenUp() {
        InterruptionHandler interruption = new InterruptionHandler(SHORT);
        interruption.run();
        assertThat(interruption.isWanted()).isTrue();
    }
}
