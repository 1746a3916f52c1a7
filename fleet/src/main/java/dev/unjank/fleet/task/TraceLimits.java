package dev.unjank.fleet.task;

import dev.unjank.fleet.input.ReadTimeLimit;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;

/**
 * The limits per trace: the time, and the size of its file, even within an archive. A trace that exceeds one becomes a
 * row in table failures.
 */
public record TraceLimits(Duration time, long bytes, long rows, long engineBytes) implements Serializable {
    private static final long serialVersionUID = 1;

    /** The default limits: one minute, 1 GB, a million rows, and 1 GiB of memory for statements. */
    public static final TraceLimits DEFAULT =
            new TraceLimits(Duration.ofMinutes(1), 1_000_000_000, 1_000_000, 1L << 30);

    public TraceLimits {
        if (time.isNegative() || time.isZero() || bytes <= 0 || rows <= 0 || engineBytes <= 0) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }

    /** The failure of a file that is too large. */
    public String tooLarge() {
        return String.format(Locale.ROOT, "larger than %,d bytes", bytes);
    }

    /** The failure of a trace that takes too long. */
    public String tookLonger() {
        return ReadTimeLimit.tookLonger(time);
    }

    /** A copy with another time. */
    public TraceLimits withTime(Duration other) {
        return new TraceLimits(other, bytes, rows, engineBytes);
    }

    /** A copy with another size. */
    public TraceLimits withBytes(long other) {
        return new TraceLimits(time, other, rows, engineBytes);
    }
}
