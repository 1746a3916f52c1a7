package dev.unjank.record.linux;

import java.time.Duration;

/**
 * Time that may be spent, and comes back slowly: a tenth of the elapsed time. Not thread-safe. Times are in ns, as
 * {@link System#nanoTime}.
 */
final class TimeBudget {
    private static final int ELAPSED_PER_REFILL = 10;

    private final long most;
    private long spent;

    private long refilledAt;

    TimeBudget(Duration most, long now) {
        this.most = most.toNanos();
        refilledAt = now;
    }

    /** Refills the budget; returns whether nothing is left. */
    boolean isSpent(long now) {
        spent = Math.max(0, spent - (now - refilledAt) / ELAPSED_PER_REFILL);
        refilledAt = now;
        return spent >= most;
    }

    void spend(long ns) {
        spent += ns;
    }
}
