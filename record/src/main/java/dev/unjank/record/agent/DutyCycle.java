package dev.unjank.record.agent;

/**
 * Limits the agent's CPU usage to about one per cent: computes the pause after a round from the CPU time of the rounds.
 * Unused time is saved, up to {@link #MOST_SAVED_NANOS}, so that the agent samples often when waits begin after a quiet
 * time, and at its start, when its code is not compiled yet. It uses the lower cost of the last two rounds, so that one
 * round with many stacks does not cause a long gap.
 *
 * <p>Not thread-safe.
 */
final class DutyCycle {
    /** The ratio of pause to CPU time. */
    private static final int REST_PER_WORK = 100;

    /** Enough for about a hundred samples of a few threads. */
    private static final long MOST_SAVED_NANOS = 30_000_000;

    private final long least;
    private final long most;
    private long saved = MOST_SAVED_NANOS;
    private long last;
    private long since;
    private boolean hasBegun;

    /** Starts with a full budget, with the shortest and the longest pause in ns. */
    DutyCycle(long least, long most) {
        this.least = least;
        this.most = most;
    }

    /** Accounts for a round; its start is a time of {@link System#nanoTime}. */
    void worked(long now, long nanos) {
        long income = hasBegun ? Math.max(0, now - since) / REST_PER_WORK : 0;
        long before = hasBegun ? last : 0;
        saved = Math.min(MOST_SAVED_NANOS, saved + income) - Math.min(nanos, before);
        last = nanos;
        since = now;
        hasBegun = true;
    }

    /** The next pause, in ns. */
    long rest() {
        return saved >= 0 ? least : Math.clamp(-saved * REST_PER_WORK, least, most);
    }
}
