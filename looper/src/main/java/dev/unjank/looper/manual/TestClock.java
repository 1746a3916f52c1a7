package dev.unjank.looper.manual;

import dev.unjank.looper.spi.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The clock of a test looper. It advances only when moved, and ends shortly before the largest time. */
public final class TestClock implements Clock {
    /** The initial time. Not 0, so that tests can use earlier times. */
    private static final long START = TimeUnit.SECONDS.toNanos(1);

    /** The last time: a message due a millisecond later is never due. */
    private static final long END = TimeUnit.MILLISECONDS.toNanos(Long.MAX_VALUE / 1_000_000 - 1);

    private volatile long nanos = START;

    @Override
    public long nanos() {
        return nanos;
    }

    /** Returns the time after the given duration. */
    public long after(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time does not go backwards: " + time);
        }
        long now = nanos;
        return now + Math.min(TimeUnit.NANOSECONDS.convert(time), END - now);
    }

    /** Converts a time in milliseconds, which must not be past. */
    public long at(long uptimeMillis) {
        long time = Math.min(TimeUnit.MILLISECONDS.toNanos(uptimeMillis), END);
        if (time < nanos) {
            throw new IllegalArgumentException(
                    uptimeMillis + " ms is in the past: the clock shows " + uptimeMillis() + " ms");
        }
        return time;
    }

    /** Advances the clock; a time in the past has no effect. Called by the driving thread. */
    public void moveTo(long time) {
        nanos = Math.max(nanos, time);
    }
}
