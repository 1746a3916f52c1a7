package dev.unjank.looper.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SystemClockTest {
    @Test
    void theSystemClockNeverShowsATimeBelowOneMillisecond() {
        assertThat(Clock.system().uptimeMillis()).isPositive();
        for (long nanoTime : new long[] {Long.MIN_VALUE, -5, 0, 5}) {
            SystemClock clock = new SystemClock(nanoTime);
            assertThat(clock.offset() + nanoTime).isEqualTo(1_000_000_000L);
        }
        assertThat(new SystemClock(2_000_000_000L).offset()).isZero();
    }
}
