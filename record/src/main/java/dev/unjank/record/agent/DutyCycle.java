package dev.unjank.record.agent;

/**
 * How long the observer rests after a round, by what rounds have cost: so that it takes about a hundredth of a CPU, however many
 * threads there are. What it does not take it saves, up to {@link #MOST_SAVED_NANOS}, so that it looks often when there is something to
 * be seen at last, and at the beginning, when its code is new and slow. Of the last two rounds the lesser cost counts: one that takes
 * many stacks is no reason to be blind for long.
 *
 * <p>One thread's.
 */
final class DutyCycle {
    /** So many times as long as it worked the observer rests. */
    private static final int REST_PER_WORK = 100;

    /** Some hundred looks among few threads. */
    private static final long MOST_SAVED_NANOS = 30_000_000;

    private final long least;
    private final long most;
    private long saved = MOST_SAVED_NANOS;
    private long last;
    private long since;
    private boolean hasBegun;

    /**
     * Has seen no round yet.
     *
     * @param least the shortest rest
     * @param most the longest, as a thread has to be seen at some time
     */
    DutyCycle(long least, long most) {
        this.least = least;
        this.most = most;
    }

    /**
     * A round is over.
     *
     * @param now the time, as of {@link System#nanoTime}
     * @param nanos how much of a CPU it has taken
     */
    void worked(long now, long nanos) {
        long income = hasBegun ? Math.max(0, now - since) / REST_PER_WORK : 0;
        long before = hasBegun ? last : 0;
        saved = Math.min(MOST_SAVED_NANOS, saved + income) - Math.min(nanos, before);
        last = nanos;
        since = now;
        hasBegun = true;
    }

    /** How long to rest now, in ns. */
    long rest() {
        return saved >= 0 ? least : Math.clamp(-saved * REST_PER_WORK, least, most);
    }
}
