package dev.unjank.locks;

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
 * WAITING     waits for the lock                           WOKEN       who releases the lock: it is free, try
 *                                                          CLAIMED     who releases the lock: it will be this thread's
 *                                                          CANCELLED   the thread: it has waited long enough, or is interrupted
 *                                                          DONE        the thread: it has taken a free lock
 * WOKEN       tries to take the lock                       WAITING     the thread, which then looks at the lock once more
 *                                                          CLAIMED, CANCELLED, DONE    as above
 * CLAIMED     is about to be given the lock                GRANTED     who gives it
 * GRANTED     owns the lock
 * CANCELLED   waits no more
 * DONE        owns the lock, or did
 * </pre>
 *
 * CLAIMED is there because the lock's word and this state cannot change in one step: from here on the thread does not give up any
 * more, so the word may name it; and it does not go on before the word does.
 */
final class Waiter {
    static final int CONDITION = 0;
    static final int WAITING = 1;
    static final int WOKEN = 2;
    static final int CLAIMED = 3;
    static final int GRANTED = 4;
    static final int CANCELLED = 5;
    static final int DONE = 6;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Waiter.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Standing standing;

    /** What it counts as; others raise it, when somebody important waits for this thread. */
    volatile Importance importance;

    /** When it began to wait for the lock, on the lock's clock. Written before others see it, or by the owner who moves it. */
    long since;

    /** Whether it waits without a limit of time. */
    final boolean isForever;

    /** Whether a circle that it is in has been reported. {@link Deadlock}'s. */
    boolean isReported;

    /** The one that arrived before, in the stack of arrivals. */
    @Nullable
    Waiter below;

    /** Its neighbours in a {@link WaitList}, and that list. The owner's. */
    @Nullable
    Waiter before;

    @Nullable
    Waiter behind;

    @Nullable
    WaitList list;

    @SuppressWarnings("UnusedVariable") // through STATE
    private int state;

    Waiter(Standing standing, Importance importance, long since, boolean isForever, int state) {
        this.standing = standing;
        this.importance = importance;
        this.since = since;
        this.isForever = isForever;
        this.state = state;
    }

    /** Gives up waiting; false if the lock is about to be this thread's. */
    boolean cancel() {
        return casState(WAITING, CANCELLED) || casState(WOKEN, CANCELLED) || casState(WAITING, CANCELLED);
    }

    /** Decides that the lock goes to this thread; false if it has given up. The owner's. */
    boolean claim() {
        return casState(WAITING, CLAIMED) || casState(WOKEN, CLAIMED) || casState(WAITING, CLAIMED);
    }

    /** Tells the thread that the lock is its own. */
    void grant() {
        setStateVolatile(GRANTED);
        LockSupport.unpark(standing.thread());
    }

    /** Has the thread try to take the lock, if it does not already; false if it has given up. */
    boolean wake() {
        if (casState(WAITING, WOKEN)) {
            LockSupport.unpark(standing.thread());
            return true;
        }
        return stateVolatile() == WOKEN;
    }

    /** Whether it waits for the lock and has not been given it. */
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
}
