package dev.unjank.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.jvm.BlockedThread;
import dev.unjank.record.jvm.BlockedThread.ThreadRef;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlockFinderTest {
    private static final long NOW = 100 * DeadlockFinder.LEAST_NANOS;
    private static final long LONG_AGO = NOW - DeadlockFinder.LEAST_NANOS;

    @Test
    void aCircleIsFoundAndWhoWaitsBesideItIsNot() {
        assertThat(DeadlockFinder.in(
                        List.of(
                                waits(1, 2, LONG_AGO),
                                waits(2, 3, LONG_AGO),
                                waits(3, 1, LONG_AGO),
                                waits(4, 1, LONG_AGO),
                                waits(5, 6, LONG_AGO)),
                        NOW))
                .containsExactlyInAnyOrder(1L, 2L, 3L);
    }

    @Test
    void aCircleOfAMomentIsNone() {
        assertThat(DeadlockFinder.in(List.of(waits(1, 2, LONG_AGO), waits(2, 1, LONG_AGO + 1)), NOW))
                .isEmpty();
    }

    @Test
    void aThreadThatWaitsForADeadlockedOneIsNotDeadlocked() {
        assertThat(DeadlockFinder.in(List.of(waits(1, 2, LONG_AGO), waits(2, 3, LONG_AGO), waits(3, 2, LONG_AGO)), NOW))
                .containsExactlyInAnyOrder(2L, 3L);
    }

    static BlockedThread waits(long waiter, long owner, long since) {
        return new BlockedThread(
                new ThreadRef(waiter, (int) waiter, "thread " + waiter),
                new ThreadRef(owner, (int) owner, "thread " + owner),
                true,
                "app.Lock",
                "app.Cache.load  Cache.java:17",
                since);
    }
}
