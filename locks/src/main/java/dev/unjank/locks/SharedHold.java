package dev.unjank.locks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A thread's share in a lock that others may have shares in as well: what a word cannot say. It is in a list of its thread's
 * {@link LockThread}, where those that lend find it.
 *
 * <pre>
 * state    the thread                     becomes    by
 * ABSENT   has no share yet, or no more   HELD       the thread, before it takes one; or whoever gives it one, after
 * HELD     has one                        LENT       who lends
 *                                         ABSENT     the thread, before it releases the last
 * LENT     and has been lent something    ABSENT     the thread, which then gives the loan back
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

    /** Its neighbour in the thread's list. The thread's own to change; who walks the list and stands on one that is dropped goes on. */
    volatile @Nullable SharedHold next;

    /** How often the thread has taken it. The thread's own, and of whoever gives it the first while it waits. */
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

    /** The thread is about to have none; says whether it was lent something meanwhile. */
    boolean unmark() {
        return (int) STATE.getAndSet(this, ABSENT) == LENT;
    }

    /** The thread is lent something; false if it has no share. */
    boolean markLent() {
        return STATE.compareAndSet(this, HELD, LENT) || (int) STATE.getVolatile(this) == LENT;
    }

    boolean isHeld() {
        return (int) STATE.getVolatile(this) != ABSENT;
    }

    /** That of a lock in a list. */
    static @Nullable SharedHold in(@Nullable SharedHold list, VipSync lock) {
        SharedHold hold = list;
        while (hold != null && !hold.lock.is(lock)) {
            hold = hold.next;
        }
        return hold;
    }
}
