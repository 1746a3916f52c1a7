package dev.unjank.locks;

import dev.unjank.linux.Scheduling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits, for a lock or for a condition of one.
 *
 * <pre>
 * state       the thread                                   becomes     by
 * CONDITION   waits to be signalled                        WAITING     the lock's owner, who signals
 *                                                          CANCELLED   the thread: it has waited long enough, or is interrupted
 * WAITING     waits for its turn                           WOKEN       who chooses: it is this one's turn, it may try
 *                                                          CLAIMED     who chooses: what it waits for will be given to it
 *                                                          CANCELLED   the thread: it has waited long enough, or is interrupted
 * WOKEN       has been woken to try                        TRYING      the thread
 *                                                          CLAIMED     who chooses
 * TRYING      tries: a few instructions                    DONE        the thread: it has taken what it waited for
 *                                                          WAITING     the thread: somebody else has
 * CLAIMED     is about to be given what it waits for       GRANTED     who chooses
 *                                                          WAITING     who chooses: somebody has come between
 * GRANTED     has been given it
 * CANCELLED   waits no more
 * DONE        has taken it
 * </pre>
 *
 * CLAIMED is there because the lock's word and this state cannot change in one step: the thread does not give up any more, so the
 * word may name it; and it does not go on before the word does. TRYING keeps the two ways to a lock apart: nobody is given what
 * it takes. Who was WOKEN and does not get it says so in the word before it sleeps or gives up ({@link VipSync#answer}).
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

    /** What it waits for. */
    final VipSync sync;

    final LockThread standing;

    /** Its importance without loans. */
    final Importance own;

    /** Its importance in the queue: its own, or what its thread is lent. Changed under the guard of its standing. */
    volatile Importance importance;

    /** The scheduling that it lends with its own importance; null until it lends. */
    volatile @Nullable Scheduling scheduling;

    /** Whether it may have lent something. Written by who lends for it. */
    volatile boolean hasLent;

    /** How much it wants, in the lock's own measure. */
    final int amount;

    /** When it began to wait, on the lock's clock. Written before others see it. */
    long since;

    /** Whether it waits without a limit of time. */
    final boolean isForever;

    /** Whether a circle that it is in has been reported. {@link DeadlockDetector}'s. */
    boolean isReported;

    /** The one that arrived before, in the stack of arrivals. */
    @SuppressWarnings("UnusedVariable") // through BELOW
    private @Nullable Waiter below;

    /** Its neighbours in a {@link WaitList}, and that list. They belong to whoever guards the list. */
    @Nullable
    Waiter before;

    @Nullable
    Waiter behind;

    @Nullable
    WaitList list;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    /** One for the calling thread, whose standing is given. */
    Waiter(VipSync sync, LockThread me, int amount, long since, boolean isForever, int state) {
        this.sync = sync;
        standing = me;
        own = me.ownImportance(sync);
        importance = own.or(me.lent());
        this.amount = amount;
        this.since = since;
        this.isForever = isForever;
        this.state = state;
    }

    // ---- the thread's own

    /** Gives up waiting; false if it has been woken, or given what it waits for, in the meantime. */
    boolean cancel() {
        return casState(WAITING, CANCELLED);
    }

    /** Begins to try; false if what it waits for is about to be given to it. */
    boolean begin() {
        return casState(WOKEN, TRYING);
    }

    // ---- of whoever chooses

    /** Decides that this one is given what it waits for; false if it has given up, or is trying. */
    boolean claim() {
        return casState(WAITING, CLAIMED) || casState(WOKEN, CLAIMED) || casState(WAITING, CLAIMED);
    }

    /** Takes that back: somebody has come between. It looks whether its time is over. */
    void unclaim() {
        setStateVolatile(WAITING);
        unpark();
    }

    /** Tells the thread that it has what it waited for. */
    void grant() {
        setStateVolatile(GRANTED);
        unpark();
    }

    /** Has the thread try, if it does not already; false if it waits no more. */
    boolean wake() {
        if (casState(WAITING, WOKEN)) {
            unpark();
            return true;
        }
        int now = stateVolatile();
        return now == WOKEN || now == TRYING;
    }

    // ---- its sleep

    /** The thread sleeps until it is unparked or interrupted, or for so long; may end for no reason. */
    void park(Object blocker, long nanos) {
        if (nanos == VipSync.FOREVER) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, nanos);
        }
    }

    /** Has the thread look at everything once more. */
    void unpark() {
        Thread thread = standing.get();
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** The time by which waits are measured that have a limit. */
    long nanoTime() {
        return System.nanoTime();
    }

    // ---- anybody's

    /** Whether it may lend: it waits still. A seam for tests. */
    boolean mayLend() {
        return isLiving();
    }

    /** What it lends at this moment. */
    LockThread.Loan loan() {
        return new LockThread.Loan(own, scheduling).or(standing.loan());
    }

    /** Whether it is in a queue: has neither got what it waits for nor given up. */
    boolean isLiving() {
        return stateVolatile() < GRANTED;
    }

    /** Whether it sleeps, or soon will, until others do something. */
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

    /** Opaque: several may unlink the same, and every value it ever has leads to all that are below and wait. */
    @Nullable
    Waiter belowOpaque() {
        return (Waiter) BELOW.getOpaque(this);
    }

    /** Opaque: the compare-and-set of the stack's top publishes it. */
    void setBelowOpaque(@Nullable Waiter waiter) {
        BELOW.setOpaque(this, waiter);
    }
}
