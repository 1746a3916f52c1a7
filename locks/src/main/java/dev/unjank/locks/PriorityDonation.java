package dev.unjank.locks;

/**
 * Passes donations along a chain: from a waiter to the holders of its lock, to the holders of the lock that those wait
 * for, and so on. An ordinary waiter donates nothing, but walks the chain as well, to detect deadlocks: the thread that
 * closes a cycle finds it, since it publishes its waiter before it walks.
 */
final class PriorityDonation {
    /** Longer chains are almost certainly cycles. */
    private static final int LONGEST_CHAIN = 64;

    private final LockThread lender;
    private final boolean isTakingBack;
    private boolean isInCircle;

    private PriorityDonation(LockThread lender, boolean isTakingBack) {
        this.lender = lender;
        this.isTakingBack = isTakingBack;
    }

    /**
     * Donates for a waiter. Called by the waiter, or by a thread that finds that the holders of the lock have changed
     * since it began to wait.
     */
    static void along(Waiter waiter) {
        if (waiter.own.isImportant()) {
            waiter.scheduling = waiter.standing.toLend(waiter.own, waiter.sync);
        }
        PriorityDonation lending = new PriorityDonation(waiter.standing, false);
        lending.pass(waiter); // it may have received a donation since it was queued
        lending.follow(waiter, 1);
        if (lending.isInCircle) {
            DeadlockDetector.check(lending.lender);
        }
    }

    /**
     * Revokes the donations of a waiter that has stopped waiting, including those farther along the chain that came
     * from it.
     */
    static void takeBack(Waiter waiter) {
        new PriorityDonation(waiter.standing, true).follow(waiter, 1);
    }

    private void follow(Waiter waiter, int length) {
        for (LockThread holder : waiter.sync.holders()) {
            if (holder == waiter.standing) {
                isInCircle |= length == 1; // otherwise it is being granted the lock at this moment
            } else if (holder == lender) {
                isInCircle = true;
            } else if (isTakingBack ? holder.takeBack(waiter) : lend(waiter, holder)) {
                Waiter next = holder.waiting;
                if (next != null && next.isLiving() && length < LONGEST_CHAIN) {
                    pass(next);
                    follow(next, length + 1);
                }
            }
            // otherwise it was leaving: the thread that chooses the next owner donates to that one
        }
    }

    private static boolean lend(Waiter waiter, LockThread holder) {
        return !waiter.loan().importance().isImportant() || holder.lend(waiter);
    }

    /** Applies the donation to a thread in the queue in which it waits itself. */
    private void pass(Waiter waiter) {
        if (waiter.importance != waiter.own.or(waiter.standing.lent()) && waiter.standing.rank(waiter)) {
            waiter.sync.reconsider();
        }
    }
}
