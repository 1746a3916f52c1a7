package dev.unjank.locks;

/**
 * A priority donation that is passed along a chain: from a waiter to the holders of its lock, from them to the holders
 * of the locks that they wait for, and so on. An ordinary waiter donates nothing, but walks the chain, too, to detect
 * deadlocks: the thread that closes a cycle finds it, since it publishes its waiter before the walk.
 */
final class PriorityDonation {
    /** Longer chains are almost certainly cycles. */
    private static final int LONGEST_CHAIN = 64;

    private final LockThread donor;
    private final boolean isRevoking;
    private boolean isInCycle;

    private PriorityDonation(LockThread donor, boolean isRevoking) {
        this.donor = donor;
        this.isRevoking = isRevoking;
    }

    /**
     * Donates for a waiter. Called by the waiter, or by a thread that finds that the holders of the lock have changed
     * since the wait began.
     */
    static void along(Waiter waiter) {
        if (waiter.own.isImportant()) {
            waiter.scheduling = waiter.lockThread.schedulingToDonate(waiter.own, waiter.sync);
        }
        PriorityDonation donation = new PriorityDonation(waiter.lockThread, false);
        donation.pass(waiter); // the waiter may have received a donation since it was queued
        donation.follow(waiter, 1);
        if (donation.isInCycle) {
            DeadlockDetector.check(donation.donor);
        }
    }

    /** Revokes the donations of a waiter that has stopped waiting, along the whole chain. */
    static void revoke(Waiter waiter) {
        new PriorityDonation(waiter.lockThread, true).follow(waiter, 1);
    }

    private void follow(Waiter waiter, int length) {
        for (LockThread holder : waiter.sync.holders()) {
            if (holder == waiter.lockThread) {
                isInCycle |= length == 1; // otherwise the thread is being granted the lock at this moment
            } else if (holder == donor) {
                isInCycle = true;
            } else if (isRevoking ? holder.revoke(waiter) : donate(waiter, holder)) {
                Waiter next = holder.waiting;
                if (next != null && next.isActive() && length < LONGEST_CHAIN) {
                    pass(next);
                    follow(next, length + 1);
                }
            }
            // otherwise it was releasing: the thread that chooses the next owner donates to that owner
        }
    }

    private static boolean donate(Waiter waiter, LockThread holder) {
        return !waiter.donation().importance().isImportant() || holder.donate(waiter);
    }

    /** Applies the donation to a holder in the queue in which that holder waits. */
    private void pass(Waiter waiter) {
        if (waiter.importance != waiter.own.or(waiter.lockThread.donatedImportance())
                && waiter.lockThread.rank(waiter)) {
            waiter.sync.recheckOwner();
        }
    }
}
