package dev.unjank.locks;

import dev.unjank.linux.Scheduling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for a lock or for a condition of a lock.
 *
 * <pre>
 * state       the thread                                   becomes     by
 * CONDITION   waits to be signalled                        WAITING     the lock's owner, who signals
 *                                                          CANCELLED   the thread: timed out or interrupted
 * WAITING     waits for its turn                           WOKEN       the chooser: it is this waiter's turn to try
 *                                                          CLAIMED     the chooser: the lock will be granted to it
 *                                                          CANCELLED   the thread: timed out or interrupted
 * WOKEN       has been woken to try                        TRYING      the thread
 *                                                          CLAIMED     the chooser
 * TRYING      tries: a few instructions                    DONE        the thread: it has taken the lock
 *                                                          WAITING     the thread: another thread has taken it
 * CLAIMED     is about to be granted the lock              GRANTED     the chooser
 *                                                          WAITING     the chooser: another thread was faster
 * GRANTED     has been granted the lock
 * CANCELLED   no longer waits
 * DONE        has taken the lock
 * </pre>
 *
 * CLAIMED exists because the lock's word and this state cannot change in one step: a claimed thread can no longer give
 * up, so the word may name it, and the thread does not continue before the word names it. TRYING separates the two ways
 * to acquire a lock: a thread is never granted a lock while it tries to take it. A WOKEN thread that does not get the
 * lock publishes that in the word before it sleeps or gives up ({@link VipSync#republishWaiters}).
 */
class Waiter {
    static final int CONDITION = 0;
    static final int WAITING = 1;
    static final int WOKEN = 2;
    static final int TRYING = 3;
    static final int CLAIMED = 4;
    static final int GRANTED = 5;
    static final int CANCELLED = 6;
    static final int DONE = 7;

    private static final VarHandle STATE;
    private static final VarHandle BELOW;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Waiter.class, "state", int.class);
            BELOW = lookup.findVarHandle(Waiter.class, "below", Waiter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The lock, or other synchronizer, that the thread waits for. */
    final VipSync sync;

    final LockThread lockThread;

    /** The importance of the thread without donations. */
    final Importance own;

    /**
     * The importance of this waiter in the queue: the thread's own, or a donated one. Changed under the guard of its
     * {@link LockThread}.
     */
    volatile Importance importance;

    /** The scheduling that this waiter donates together with its own importance; null until it donates. */
    volatile @Nullable Scheduling scheduling;

    /** Whether this waiter may have donated. Written by the donating thread. */
    volatile boolean hasDonated;

    /** The requested amount, in the lock's unit. */
    final int amount;

    /** The start of the wait, on the lock's clock. Written before other threads see this waiter. */
    long since;

    /** Whether the wait has no timeout. */
    final boolean isForever;

    /** Whether a deadlock that includes this waiter has been reported. Accessed only by {@link DeadlockDetector}. */
    boolean isReported;

    /** The waiter below this one in the stack of arrivals: it arrived earlier. */
    @SuppressWarnings("UnusedVariable") // through BELOW
    private @Nullable Waiter below;

    /** The neighbours in a {@link WaitList}, and that list. Guarded like the list. */
    @Nullable
    Waiter before;

    @Nullable
    Waiter behind;

    @Nullable
    WaitList list;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    /** Creates a waiter for the calling thread. */
    Waiter(VipSync sync, LockThread me, int amount, long since, boolean isForever, int state) {
        this.sync = sync;
        lockThread = me;
        own = me.ownImportance(sync);
        importance = own.or(me.donatedImportance());
        this.amount = amount;
        this.since = since;
        this.isForever = isForever;
        this.state = state;
    }

    // ---- for the waiting thread

    /** Stops waiting; returns false if the thread has been woken or granted the lock in the meantime. */
    boolean cancel() {
        return casState(WAITING, CANCELLED);
    }

    /** Begins an attempt to take the lock; returns false if the lock is about to be granted to this waiter. */
    boolean begin() {
        return casState(WOKEN, TRYING);
    }

    // ---- for the chooser

    /** Decides to grant the lock to this waiter; returns false if the waiter has given up or is trying. */
    boolean claim() {
        return casState(WAITING, CLAIMED) || casState(WOKEN, CLAIMED) || casState(WAITING, CLAIMED);
    }

    /** Undoes {@link #claim}, because another thread was faster. The waiter then checks its timeout. */
    void releaseClaim() {
        setStateVolatile(WAITING);
        unpark();
    }

    /** Notifies the thread that the lock has been granted to it. */
    void grant() {
        setStateVolatile(GRANTED);
        unpark();
    }

    /** Makes the thread try to take the lock, unless it is already trying; returns false if it no longer waits. */
    boolean wake() {
        if (casState(WAITING, WOKEN)) {
            unpark();
            return true;
        }
        int now = stateVolatile();
        return now == WOKEN || now == TRYING;
    }

    // ---- sleeping

    /** Parks until the thread is unparked or interrupted, or the time has elapsed; may return spuriously. */
    void park(Object blocker, long nanos) {
        if (nanos == VipSync.FOREVER) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, nanos);
        }
    }

    /** Unparks the thread, which then checks its state again. */
    void unpark() {
        Thread thread = lockThread.get();
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Returns the current time of the clock of timed waits. */
    long nanoTime() {
        return System.nanoTime();
    }

    // ---- any thread

    /** Returns whether this waiter may donate, that is, still waits. Overridden by tests. */
    boolean mayDonate() {
        return isActive();
    }

    /** Returns the current donation of this waiter. */
    LockThread.Donation donation() {
        return new LockThread.Donation(own, scheduling).or(lockThread.donation());
    }

    /** Returns whether the waiter is in a queue: it has neither got the lock nor given up. */
    boolean isActive() {
        return stateVolatile() < GRANTED;
    }

    /** Returns whether the thread sleeps, or soon will, until another thread acts. */
    boolean isWaiting() {
        int now = stateVolatile();
        return now == WAITING || now == WOKEN;
    }

    int stateVolatile() {
        return (int) STATE.getVolatile(this);
    }

    void setStateVolatile(int value) {
        STATE.setVolatile(this, value);
    }

    boolean casState(int expected, int replacement) {
        return STATE.compareAndSet(this, expected, replacement);
    }

    /**
     * Opaque: several threads may unlink the same waiter, and every value that the link ever has leads to all live
     * waiters below.
     */
    @Nullable
    Waiter belowOpaque() {
        return (Waiter) BELOW.getOpaque(this);
    }

    /** Opaque: the compare-and-set of the stack's top publishes it. */
    void setBelowOpaque(@Nullable Waiter waiter) {
        BELOW.setOpaque(this, waiter);
    }
}
