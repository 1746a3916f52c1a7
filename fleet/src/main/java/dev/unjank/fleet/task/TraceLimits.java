package dev.unjank.fleet.task;

import dev.unjank.fleet.input.ReadTimeLimit;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;

/**
 * What one trace may cost at most; one that costs more becomes a row among the failures.
 *
 * @param time how long it may take
 * @param bytes how large its file may be, also when taken out of an archive
 * @param rows how many rows it may give
 * @param engineBytes how much memory statements may use
 */
public record TraceLimits(Duration time, long bytes, long rows, long engineBytes) implements Serializable {
    private static final long serialVersionUID = 1;

    /** A minute, 1 GiB, a million rows, and 1 GiB for statements. */
    public static final TraceLimits DEFAULT = new TraceLimits(Duration.ofMinutes(1), 1L << 30, 1_000_000, 1L << 30);

    /** Checks the values. */
    public TraceLimits {
        if (time.isNegative() || time.isZero() || bytes <= 0 || rows <= 0 || engineBytes <= 0) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }

    /** What to say of a file that is too large. */
    public String tooLarge() {
        return String.format(Locale.ROOT, "larger than %,d bytes", bytes);
    }

    /** What to say of a trace that takes too long. */
    public String tookLonger() {
        return ReadTimeLimit.tookLonger(time);
    }

    /**
     * The same with another time.
     *
     * @param other how long a trace may take
     * @return the changed limits
     */
    public TraceLimits withTime(Duration other) {
        return new TraceLimits(other, bytes, rows, engineBytes);
    }

    /**
     * The same with another size.
     *
     * @param other how large a file may be
     * @return the changed limits
     */
    public TraceLimits withBytes(long other) {
        return new TraceLimits(time, other, rows, engineBytes);
    }
}
