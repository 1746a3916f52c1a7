package dev.unjank.record.observer;

/**
 * How long the observer rests after a round, by what rounds have cost: so that it takes about a hundredth of a CPU, however many
 * threads there are. What counts is the lesser of the last two rounds: the first of all, and one that takes many stacks, cost more than
 * those after them.
 *
 * <p>One thread's.
 */
final class Pace {
    /** So many times as long as it worked the observer rests. */
    private static final int REST_PER_WORK = 100;

    private final long least;
    private final long most;
    private long last;
    private long beforeLast;

    /**
     * Has seen no round yet.
     *
     * @param least the shortest rest
     * @param most the longest, as a thread has to be seen at some time
     */
    Pace(long least, long most) {
        this.least = least;
        this.most = most;
    }

    /** A round has taken so much of a CPU. */
    void worked(long nanos) {
        beforeLast = last;
        last = nanos;
    }

    /** How long to rest now, in ns. */
    long rest() {
        return Math.clamp(REST_PER_WORK * Math.min(last, beforeLast), least, most);
    }
}
