package dev.unjank.locks;

/**
 * Passes loans along a chain: from a waiter to the holders of its lock, to the holders of the lock that those wait for, and so on. An
 * ordinary waiter lends nothing, but walks the chain as well: the one that closes a circle finds it, since it publishes what it waits
 * for before it looks.
 */
final class PriorityDonation {
    /** Longer chains are hardly more than a circle. */
    private static final int LONGEST_CHAIN = 64;

    private final LockThread lender;
    private final boolean isTakingBack;
    private boolean isInCircle;

    private PriorityDonation(LockThread lender, boolean isTakingBack) {
        this.lender = lender;
        this.isTakingBack = isTakingBack;
    }

    /** Lends for a waiter. Called by the waiter, or by a thread that finds that others hold the lock now than when it began to wait. */
    static void along(Waiter waiter) {
        if (waiter.own.isImportant()) {
            waiter.scheduling = waiter.standing.toLend(waiter.own, waiter.sync);
        }
        PriorityDonation lending = new PriorityDonation(waiter.standing, false);
        lending.pass(waiter); // it may have been lent something since it took its place
        lending.follow(waiter, 1);
        if (lending.isInCircle) {
            DeadlockDetector.check(lending.lender);
        }
    }

    /** Ends the loans of a waiter that has stopped waiting: also of those farther along, as far as they came from it. */
    static void takeBack(Waiter waiter) {
        new PriorityDonation(waiter.standing, true).follow(waiter, 1);
    }

    private void follow(Waiter waiter, int length) {
        for (LockThread holder : waiter.sync.holders()) {
            if (holder == waiter.standing) {
                isInCircle |= length == 1; // otherwise it is being given the lock at this moment
            } else if (holder == lender) {
                isInCircle = true;
            } else if (isTakingBack ? holder.takeBack(waiter) : lend(waiter, holder)) {
                Waiter next = holder.waiting;
                if (next != null && next.isLiving() && length < LONGEST_CHAIN) {
                    pass(next);
                    follow(next, length + 1);
                }
            }
            // else it was on its way out: the thread that chooses the next owner lends to that
        }
    }

    private static boolean lend(Waiter waiter, LockThread holder) {
        return !waiter.loan().importance().isImportant() || holder.lend(waiter);
    }

    /** What a thread is lent counts in the queue in which it waits itself. */
    private void pass(Waiter waiter) {
        if (waiter.importance != waiter.own.or(waiter.standing.lent()) && waiter.standing.rank(waiter)) {
            waiter.sync.reconsider();
        }
    }
}
