package dev.unjank.record.session;

/**
 * The interval of a recording, in times of {@link System#nanoTime}.
 *
 * @param from when all sources were on
 * @param until when the first source was switched off; {@link Long#MAX_VALUE} before that
 */
public record RecordingInterval(long from, long until) {
    /** The unbounded interval. */
    public static final RecordingInterval ALWAYS = new RecordingInterval(Long.MIN_VALUE, Long.MAX_VALUE);

    /** Whether the start is known. */
    public boolean hasBegun() {
        return from > Long.MIN_VALUE;
    }

    /** Whether an event overlaps the interval; false if it ended before or began after. */
    public boolean touches(long begin, long end) {
        return end >= from && begin <= until;
    }

    /** Whether an event is entirely within the interval. */
    public boolean holds(long begin, long end) {
        return begin >= from && end <= until;
    }

    /** Clamps a time to the interval. */
    public long nearest(long ns) {
        return Math.clamp(ns, from, until);
    }
}
