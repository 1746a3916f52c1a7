package dev.unjank.record.session;

/**
 * From when to when a recording goes, in times of {@link System#nanoTime}.
 *
 * @param from when all sources were on
 * @param until when the first was switched off; {@link Long#MAX_VALUE} before that
 */
public record RecordingInterval(long from, long until) {
    /** Has no ends. */
    public static final RecordingInterval ALWAYS = new RecordingInterval(Long.MIN_VALUE, Long.MAX_VALUE);

    /**
     * Whether it is known from when.
     *
     * @return false before all sources are on
     */
    public boolean hasBegun() {
        return from > Long.MIN_VALUE;
    }

    /**
     * Whether something that lasts is at least in part in here.
     *
     * @param begin when it began
     * @param end when it ended
     * @return false if it was over before, or began after
     */
    public boolean touches(long begin, long end) {
        return end >= from && begin <= until;
    }

    /**
     * Whether something that lasts is in here as a whole.
     *
     * @param begin when it began
     * @param end when it ended
     * @return true if it neither began before nor ended after
     */
    public boolean holds(long begin, long end) {
        return begin >= from && end <= until;
    }

    /**
     * The time in here that is nearest to another.
     *
     * @param ns any time
     * @return the same, {@link #from} if it is before, {@link #until} if it is after
     */
    public long nearest(long ns) {
        return Math.clamp(ns, from, until);
    }
}
