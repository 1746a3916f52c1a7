package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** For how long an interrupted command is waited for that does not come to its end. */
class InterruptionTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void aCommandThatGetsOnIsWaitedFor() {
        AtomicLong asked = new AtomicLong();
        Interruption interruption = new Interruption(SHORT);
        interruption.watch(() -> Math.min(asked.incrementAndGet(), 10));

        interruption.run();

        assertThat(interruption.isWanted()).isTrue();
        assertThat(asked).hasValueGreaterThan(10);
    }

    @Test
    void oneThatDoesNotIsGivenUp() {
        Interruption interruption = new Interruption(SHORT);
        interruption.run();
        assertThat(interruption.isWanted()).isTrue();
    }
}
