package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The clock of a {@link TestLooper}: it stands until it is moved on, and stops for good where no message can be due any more. */
final class TestClock implements Clock {
    /** The first time that it shows. Not 0, so that a time before it can be tried. */
    private static final long START = TimeUnit.SECONDS.toNanos(1);

    /** The last one: a message that is due a millisecond later is due never. */
    private static final long END = TimeUnit.MILLISECONDS.toNanos(Long.MAX_VALUE / 1_000_000 - 1);

    private volatile long nanos = START;

    @Override
    public long nanos() {
        return nanos;
    }

    /** The time that it shows so much later. */
    long after(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time does not go backwards: " + time);
        }
        long now = nanos;
        return now + Math.min(TimeUnit.NANOSECONDS.convert(time), END - now);
    }

    /** The time that it shows at a number of milliseconds. */
    long at(long uptimeMillis) {
        long time = Math.min(TimeUnit.MILLISECONDS.toNanos(uptimeMillis), END);
        if (time < nanos) {
            throw new IllegalArgumentException(uptimeMillis + " ms is past: the clock shows " + uptimeMillis() + " ms");
        }
        return time;
    }

    /** Moves it on; a time that is past changes nothing. By whoever drives the looper. */
    void moveTo(long time) {
        nanos = Math.max(nanos, time);
    }
}
