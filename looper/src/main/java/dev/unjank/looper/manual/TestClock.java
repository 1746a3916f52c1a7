package dev.unjank.looper.manual;

import dev.unjank.looper.spi.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The clock of a test looper: it advances only when moved, and ends where no message can be due any more. */
public final class TestClock implements Clock {
    /** The first time that it shows. Not 0, so that tests can use an earlier time. */
    private static final long START = TimeUnit.SECONDS.toNanos(1);

    /** The last time that it shows: a message due a millisecond later is never due. */
    private static final long END = TimeUnit.MILLISECONDS.toNanos(Long.MAX_VALUE / 1_000_000 - 1);

    private volatile long nanos = START;

    @Override
    public long nanos() {
        return nanos;
    }

    /** The time after the given duration. */
    public long after(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time does not go backwards: " + time);
        }
        long now = nanos;
        return now + Math.min(TimeUnit.NANOSECONDS.convert(time), END - now);
    }

    /** The time at a number of milliseconds. */
    public long at(long uptimeMillis) {
        long time = Math.min(TimeUnit.MILLISECONDS.toNanos(uptimeMillis), END);
        if (time < nanos) {
            throw new IllegalArgumentException(uptimeMillis + " ms is past: the clock shows " + uptimeMillis() + " ms");
        }
        return time;
    }

    /** Advances the clock; a past time changes nothing. Called by the driving thread. */
    public void moveTo(long time) {
        nanos = Math.max(nanos, time);
    }
}
