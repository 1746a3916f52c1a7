package dev.unjank.locks;

import org.jspecify.annotations.Nullable;

/** A list of waiters in the order in which they began to wait. Guarded by the lock or by another guard. */
final class WaitList {
    private @Nullable Waiter first;
    private @Nullable Waiter last;

    @Nullable
    Waiter first() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Inserts a waiter behind all waiters that have waited longer. */
    void add(Waiter waiter) {
        Waiter before = last;
        while (before != null && before.since - waiter.since > 0) {
            before = before.before;
        }
        Waiter behind = before == null ? first : before.behind;
        waiter.list = this;
        waiter.before = before;
        waiter.behind = behind;
        if (before == null) {
            first = waiter;
        } else {
            before.behind = waiter;
        }
        if (behind == null) {
            last = waiter;
        } else {
            behind.before = waiter;
        }
    }

    /** Removes a waiter from this list. */
    void remove(Waiter waiter) {
        Waiter before = waiter.before;
        Waiter behind = waiter.behind;
        if (before == null) {
            first = behind;
        } else {
            before.behind = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.before = before;
        }
        waiter.list = null;
        waiter.before = null;
        waiter.behind = null;
    }
}
