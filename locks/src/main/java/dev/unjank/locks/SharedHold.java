package dev.unjank.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A thread's share of a lock that several threads may share: state that has no room in the lock's word. It is in a list
 * of the thread's {@link LockThread}, where donors find it.
 *
 * <pre>
 * state    the thread                      becomes    by
 * ABSENT   has no share, or no longer      HELD       the thread, before it takes one; or the granting thread, after
 * HELD     has one                         LENT       a donor
 *                                          ABSENT     the thread, before it releases the last
 * LENT     and has received a donation     ABSENT     the thread, which then returns the donation
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
     * Its neighbour in the thread's list. Changed by the thread only; a thread that walks the list continues from a
     * dropped element.
     */
    volatile @Nullable SharedHold next;

    /** The number of shares. Belongs to the thread, and to the thread that grants it the first while it waits. */
    int count;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    SharedHold(VipSync lock, @Nullable SharedHold next) {
        this.lock = lock;
        this.next = next;
    }

    /** The thread has a share, or is about to take one. */
    void mark() {
        STATE.setVolatile(this, HELD);
    }

    /** The thread is about to have no share; returns whether it received a donation meanwhile. */
    boolean unmark() {
        return (int) STATE.getAndSet(this, ABSENT) == LENT;
    }

    /** The thread receives a donation; false if it has no share. */
    boolean markLent() {
        return STATE.compareAndSet(this, HELD, LENT) || (int) STATE.getVolatile(this) == LENT;
    }

    boolean isHeld() {
        return (int) STATE.getVolatile(this) != ABSENT;
    }

    /** The hold of a lock in a list. */
    static @Nullable SharedHold in(@Nullable SharedHold list, VipSync lock) {
        SharedHold hold = list;
        while (hold != null && !hold.lock.is(lock)) {
            hold = hold.next;
        }
        return hold;
    }
}
