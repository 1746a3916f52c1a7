package dev.unjank.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Whether one thread holds one lock in shared mode, as a reader. The lock's word has no room for this. Threads that
 * lend their priority to the readers find it in the list of the reader's {@link LockThread}.
 *
 * <pre>
 * state    the thread                      becomes    by
 * ABSENT   has no share                    HELD       the thread, before it takes one; or the granting thread, after
 * HELD     has a share                     LENT       a donor
 *                                          ABSENT     the thread, before it releases the last
 * LENT     has a share and a donation      ABSENT     the thread, which then returns the donation
 * </pre>
 */
final class SharedHold {
    private static final int ABSENT = 0;
    private static final int HELD = 1;
    private static final int LENT = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(SharedHold.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final VipSync lock;

    /**
     * The next element of the thread's list. Changed only by the thread; a traversal that is at a dropped element
     * continues from there.
     */
    volatile @Nullable SharedHold next;

    /**
     * The number of shares. Accessed by the thread; while the thread waits for its first share, by the thread that
     * grants it.
     */
    int count;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    SharedHold(VipSync lock, @Nullable SharedHold next) {
        this.lock = lock;
        this.next = next;
    }

    /** Marks that the thread has a share or is about to take one. */
    void mark() {
        STATE.setVolatile(this, HELD);
    }

    /** Marks that the thread is about to release its last share; returns whether it has received a donation. */
    boolean unmark() {
        return (int) STATE.getAndSet(this, ABSENT) == LENT;
    }

    /** Marks that the thread receives a donation; returns false if it has no share. */
    boolean markLent() {
        return STATE.compareAndSet(this, HELD, LENT) || (int) STATE.getVolatile(this) == LENT;
    }

    boolean isHeld() {
        return (int) STATE.getVolatile(this) != ABSENT;
    }

    /** Returns the hold of a lock from a list. */
    static @Nullable SharedHold in(@Nullable SharedHold list, VipSync lock) {
        SharedHold hold = list;
        while (hold != null && !hold.lock.is(lock)) {
            hold = hold.next;
        }
        return hold;
    }
}
