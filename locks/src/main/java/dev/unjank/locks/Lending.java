package dev.unjank.locks;

import dev.unjank.linux.Scheduling;
import org.jspecify.annotations.Nullable;

/**
 * How what a waiter has to lend reaches those it waits for: the holders of the lock, the holders of what those wait for, and so on.
 * An ordinary waiter lends nothing, but follows the chain as well: whoever closes a circle finds it, since it says what it
 * waits for before it looks.
 */
final class Lending {
    /** Longer chains are hardly more than a circle. */
    private static final int LONGEST_CHAIN = 64;

    private final Standing lender;
    private final Importance importance;
    private final @Nullable Scheduling scheduling;
    private boolean isInCircle;

    private Lending(Waiter waiter) {
        lender = waiter.standing;
        importance = waiter.importance.or(lender.lent());
        scheduling = importance.isImportant() ? lender.toLend(importance) : null;
    }

    /** Lends for a waiter. By itself, or by who finds that others hold the lock now than when it began to wait. */
    static void along(Waiter waiter) {
        Lending lending = new Lending(waiter);
        lending.pass(waiter); // it may have been lent something since it took its place
        lending.follow(waiter.sync, 1);
        if (lending.isInCircle) {
            Deadlock.check(lending.lender);
        }
    }

    private void follow(VipSync sync, int length) {
        for (Standing holder : sync.holders()) {
            if (holder == lender) {
                isInCircle = true;
            } else if (!importance.isImportant() || holder.lend(sync, importance, scheduling)) {
                Waiter waiter = holder.waiting;
                if (waiter != null && waiter.isWaiting() && length < LONGEST_CHAIN) {
                    pass(waiter);
                    follow(waiter.sync, length + 1);
                }
            }
            // else it was on its way out: whoever chooses the next lends to that
        }
    }

    /** A thread counts as much as the lender in the queue in which it waits itself. */
    private void pass(Waiter waiter) {
        if (importance.compareTo(waiter.importance) > 0) {
            waiter.sync.queue().raise(waiter, importance);
            waiter.sync.reconsider();
        }
    }
}
