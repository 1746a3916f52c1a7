package dev.unjank.record.session;

import java.time.Duration;

/**
 * The rotation of a recording, which limits its size: everything is kept, or the last bytes, or the last seconds. A
 * ring consists of {@value #PARTS} parts, of which the oldest is dropped as a whole.
 *
 * @param bytes the maximum size, without the names in each part; {@link Long#MAX_VALUE} for no limit
 * @param nanos the minimum time that is kept; {@link Long#MAX_VALUE} for no limit
 */
public record Rotation(long bytes, long nanos) {
    /** Everything is kept. */
    public static final Rotation NONE = new Rotation(Long.MAX_VALUE, Long.MAX_VALUE);

    /** The minimum size of a ring in bytes. */
    public static final long LEAST_BYTES = 1_000_000;

    static final int PARTS = 8;

    /**
     * The maximum delay of an event until it is in the file: kernel events take up to a third of a second, and the file
     * is flushed every 0.2 s. A ring of time is longer by this, so that its time is in the files if the recorder is
     * killed.
     */
    static final Duration LAG = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE).minus(LAG);

    /** Keeps the last bytes, at least {@link #LEAST_BYTES}. */
    public static Rotation ofBytes(long bytes) {
        if (bytes < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "a ring of " + bytes + " bytes is smaller than the minimum of " + LEAST_BYTES + " bytes");
        }
        return new Rotation(bytes, Long.MAX_VALUE);
    }

    /**
     * Keeps at least the last seconds (at least one), even if the recorder is killed: the ring is longer by the maximum
     * delay of an event.
     */
    public static Rotation ofTime(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a ring of " + time + " is shorter than the minimum of one second");
        }
        return new Rotation(
                Long.MAX_VALUE,
                time.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : time.plus(LAG).toNanos());
    }

    /** Whether a part is long enough. */
    boolean isFull(long eventBytes, long partNanos) {
        return (bytes != Long.MAX_VALUE && eventBytes >= bytes / PARTS)
                || (nanos != Long.MAX_VALUE && partNanos >= Math.ceilDiv(nanos, PARTS - 1));
    }
}
