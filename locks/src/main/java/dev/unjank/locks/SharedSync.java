package dev.unjank.locks;

import java.util.List;
import java.util.Objects;

/**
 * A synchronizer that one thread owns or several threads share: the implementation of {@link VipReadWriteLock}.
 *
 * <pre>
 * word               meaning
 * 0                  free; a waiter, if any, has been woken to try
 * shares             the number of read locks held
 * owner              the write lock is held
 * owner | shares     the owner of the write lock also holds read locks: it may release the write lock and go on reading
 * ... | WAITERS      newcomers queue up; the other bits are described in {@link VipSync} and {@link ExclusiveSync}
 * </pre>
 *
 * The word does not name the readers. Each reading thread has a {@link SharedHold} for that.
 */
@SuppressWarnings("serial") // not serializable: see VipSync
class SharedSync extends ExclusiveSync {
    private static final long serialVersionUID = 1;

    /** The amount that a reader waits for. */
    private static final int PART = 1;

    private static final long SHARE = 1L << STATE_SHIFT;

    /** The maximum number of shares: as many as fit between the flag bits and the owner. */
    static final int MOST_SHARES = (1 << (OWNER_SHIFT - STATE_SHIFT)) - 1;

    SharedSync(WaitQueue queue) {
        super(queue);
    }

    // ---- taking a share

    final void lockShared() {
        if (!enter(LockThread.current().hold(this), false)) {
            acquire(PART);
        }
    }

    /**
     * Takes a share; returns false if the wait would exceed {@code nanos}, which may be {@link #FOREVER}. An interrupt
     * ends the wait.
     */
    final boolean lockShared(long nanos) throws InterruptedException {
        checkInterrupt();
        LockThread me = LockThread.current();
        SharedHold hold = me.hold(this);
        try {
            return enter(hold, false) || acquire(PART, nanos);
        } finally {
            me.drop(hold);
        }
    }

    final boolean tryLockShared() {
        LockThread me = LockThread.current();
        SharedHold hold = me.hold(this);
        boolean has = enter(hold, true);
        me.drop(hold);
        return has;
    }

    /**
     * Tries to take a share without waiting; always succeeds for a thread that already has a share or owns the lock.
     */
    private boolean enter(SharedHold hold, boolean isBeforeOthers) {
        long me = Thread.currentThread().threadId();
        boolean isFirst = hold.count == 0;
        if (isFirst) {
            // Mark the holder before taking the share: a thread that sees shares in the word must be able to find
            // their holders.
            hold.mark();
        }
        while (true) {
            long seen = wordVolatile();
            long owner = seen >>> OWNER_SHIFT;
            boolean isLate = !isBeforeOthers && isFirst && owner == 0 && (seen & WAITERS) != 0;
            boolean isFull = shares(seen) == MOST_SHARES;
            if ((owner != 0 && owner != me) || isLate || isFull) {
                if (isFirst && hold.unmark()) {
                    giveBack();
                }
                if (isFull) {
                    LockThread.current().drop(hold);
                    throw new Error("too many read locks");
                }
                return false;
            }
            if (casWord(seen, seen + SHARE)) {
                hold.count++;
                return true;
            }
        }
    }

    private static int shares(long word) {
        return (int) (word >>> STATE_SHIFT) & MOST_SHARES;
    }

    // ---- releasing a share

    final void unlockShared() {
        LockThread me = LockThread.current();
        SharedHold hold = me.holdOf(this);
        if (hold == null || hold.count == 0) {
            throw new IllegalMonitorStateException(Thread.currentThread().getName() + " holds no read lock");
        }
        hold.count--;
        boolean isLast = hold.count == 0;
        boolean isLent = isLast && hold.unmark();
        long seen = wordVolatile();
        while (!tryRelease(seen, seen - SHARE)) {
            seen = wordVolatile();
        }
        if (isLast) {
            me.drop(hold);
        }
        if (isLent) {
            giveBack();
        }
    }

    // ---- for the queue

    @Override
    boolean isOpen(long word) {
        return word >>> OWNER_SHIFT == 0;
    }

    @Override
    long taken(long word, Waiter waiter) {
        if (waiter.amount == WHOLE) {
            return super.taken(word, waiter);
        }
        return isOpen(word) && shares(word) < MOST_SHARES ? word + SHARE : NONE;
    }

    @Override
    void onGranted(Waiter waiter) {
        if (waiter.amount == WHOLE) {
            super.onGranted(waiter);
        } else {
            SharedHold hold = Objects.requireNonNull(waiter.lockThread.holdOf(this));
            hold.count = 1; // the thread waits until it is notified
            hold.mark();
        }
    }

    @Override
    List<LockThread> holders() {
        long seen = wordVolatile();
        return seen >>> OWNER_SHIFT != 0 || shares(seen) == 0 ? super.holders() : LockThread.holdersOf(this);
    }

    @Override
    boolean markLent(LockThread holder) {
        if (super.markLent(holder)) {
            return true;
        }
        SharedHold hold = holder.holdOf(this);
        return hold != null && hold.markLent();
    }

    // ---- monitoring

    final int shares() {
        return shares(wordVolatile());
    }

    /** Returns the number of shares that the calling thread has. */
    final int shareCount() {
        SharedHold hold = LockThread.current().holdOf(this);
        return hold == null ? 0 : hold.count;
    }

    /** Describes the state in the format of the JDK's locks. */
    final String state() {
        return "[Write locks = " + ownerHolds() + ", Read locks = " + shares() + "]";
    }
}
