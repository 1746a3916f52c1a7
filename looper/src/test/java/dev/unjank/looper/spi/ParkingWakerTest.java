package dev.unjank.looper.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The waker that parks. */
class ParkingWakerTest {
    private final Waker waker = Waker.parking();

    @Test
    void aWakeBeforeTheSleepSticksOnce() {
        waker.wake();
        waker.wake();
        waker.await(Waker.FOREVER);
        long start = System.nanoTime();
        waker.await(2_000_000);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
    }

    @Test
    void anInterruptNeitherEndsTheSleepNorIsLost() {
        Thread.currentThread().interrupt();
        long start = System.nanoTime();
        waker.await(2_000_000);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anotherThreadWakes() throws Exception {
        Thread sleeper = new Thread(() -> waker.await(Waker.FOREVER));
        sleeper.start();
        while (sleeper.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        waker.wake();
        sleeper.join();
    }
}
