package dev.unjank.locks;

import dev.unjank.linux.Scheduling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A waiter: a thread that waits for a lock, or for a condition of one.
 *
 * <pre>
 * state       the thread                                   becomes     by
 * CONDITION   waits to be signalled                        WAITING     the lock's owner, who signals
 *                                                          CANCELLED   the thread: timed out or interrupted
 * WAITING     waits for its turn                           WOKEN       the chooser: it is this one's turn, it may try
 *                                                          CLAIMED     the chooser: the lock will be granted to it
 *                                                          CANCELLED   the thread: timed out or interrupted
 * WOKEN       has been woken to try                        TRYING      the thread
 *                                                          CLAIMED     the chooser
 * TRYING      tries: a few instructions                    DONE        the thread: it has taken the lock
 *                                                          WAITING     the thread: another thread has taken it
 * CLAIMED     is about to be granted the lock              GRANTED     the chooser
 *                                                          WAITING     the chooser: another thread came first
 * GRANTED     has been granted the lock
 * CANCELLED   no longer waits
 * DONE        has taken the lock
 * </pre>
 *
 * CLAIMED exists because the lock's word and this state cannot change in one step: a claimed thread can no longer give
 * up, so the word may name it; and it does not go on before the word does. TRYING keeps the two ways to a lock apart:
 * no thread is granted a lock while it takes it. A WOKEN thread that does not get the lock publishes that in the word
 * before it sleeps or gives up ({@link VipSync#republishWaiters}).
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

    /** The lock, or other synchronizer, that it waits for. */
    final VipSync sync;

    final LockThread lockThread;

    /** Its importance without donations. */
    final Importance own;

    /**
     * Its importance in the queue: its own, or the one donated to its thread. Changed under the guard of its {@link
     * LockThread}.
     */
    volatile Importance importance;

    /** The scheduling that it donates with its own importance; null until it donates. */
    volatile @Nullable Scheduling scheduling;

    /** Whether it may have donated. Written by the donating thread. */
    volatile boolean hasDonated;

    /** The amount it waits for, in the lock's own unit. */
    final int amount;

    /** When it began to wait, on the lock's clock. Written before other threads see it. */
    long since;

    /** Whether it waits without a timeout. */
    final boolean isForever;

    /** Whether a deadlock that it is part of has been reported. Belongs to {@link DeadlockDetector}. */
    boolean isReported;

    /** The waiter that arrived before it, in the stack of arrivals. */
    @SuppressWarnings("UnusedVariable") // through BELOW
    private @Nullable Waiter below;

    /** Its neighbours in a {@link WaitList}, and that list. Protected by the guard of the list. */
    @Nullable
    Waiter before;

    @Nullable
    Waiter behind;

    @Nullable
    WaitList list;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    /** A waiter for the calling thread. */
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

    /** Stops waiting; false if it has been woken or granted the lock in the meantime. */
    boolean cancel() {
        return casState(WAITING, CANCELLED);
    }

    /** Begins to try; false if the lock is about to be granted to it. */
    boolean begin() {
        return casState(WOKEN, TRYING);
    }

    // ---- for the chooser

    /** Decides to grant the lock to this waiter; false if it has given up, or is trying. */
    boolean claim() {
        return casState(WAITING, CLAIMED) || casState(WOKEN, CLAIMED) || casState(WAITING, CLAIMED);
    }

    /** Undoes {@link #claim}: another thread came first. The waiter then checks its timeout. */
    void releaseClaim() {
        setStateVolatile(WAITING);
        unpark();
    }

    /** Notifies the thread that the lock has been granted to it. */
    void grant() {
        setStateVolatile(GRANTED);
        unpark();
    }

    /** Makes the thread try, unless it does already; false if it no longer waits. */
    boolean wake() {
        if (casState(WAITING, WOKEN)) {
            unpark();
            return true;
        }
        int now = stateVolatile();
        return now == WOKEN || now == TRYING;
    }

    // ---- sleeping

    /** Sleeps until the thread is unparked or interrupted, or the time has elapsed; may return spuriously. */
    void park(Object blocker, long nanos) {
        if (nanos == VipSync.FOREVER) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, nanos);
        }
    }

    /** Makes the thread check all its conditions once more. */
    void unpark() {
        Thread thread = lockThread.get();
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** The clock of timed waits. */
    long nanoTime() {
        return System.nanoTime();
    }

    // ---- any thread

    /** Whether it may donate: it still waits. A seam for tests. */
    boolean mayDonate() {
        return isActive();
    }

    /** What it donates at this moment. */
    LockThread.Donation donation() {
        return new LockThread.Donation(own, scheduling).or(lockThread.donation());
    }

    /** Whether it is in a queue: it has neither got the lock nor given up. */
    boolean isActive() {
        return stateVolatile() < GRANTED;
    }

    /** Whether it sleeps, or soon will, until another thread acts. */
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
     * Opaque: several threads may unlink the same waiter, and every value it ever has leads to all live waiters below.
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
