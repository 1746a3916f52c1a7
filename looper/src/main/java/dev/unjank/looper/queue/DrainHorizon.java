package dev.unjank.looper.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets the looper take the messages that it has drained without checking the stack before each of them.
 *
 * <p>Producers contend for the top of the stack. A looper that reads it before every delivery contends with them: each
 * of its reads costs the next producer a cache miss. But most messages are due later than all drained messages, or at
 * the same time, and come after them in either case. So the looper publishes how far it goes without checking, and only
 * senders of earlier messages announce themselves.
 *
 * <pre>
 * word         meaning                                             changed by
 * nanos        the looper may take messages due by then            the looper, upwards
 *              without checking for new ones
 * overtaking   low half: how many senders are about to overtake    senders of messages due before nanos: plus one,
 *              or have begun to quit; high half: how many have     then minus one when they are done; quit: plus one,
 *              begun ever, without what is above 32 bits           and never minus one
 * </pre>
 *
 * <p><b>No message overtakes unseen.</b> A sender that finds that its message overtakes announces itself before it
 * pushes, and withdraws afterwards; in between the looper checks the stack each time. If the horizon was raised while
 * the sender was about to push, either the looper, which checks again after raising it, has seen the message; or the
 * sender, which reads the horizon again after pushing, sees that it has overtaken, and announces it. In that case the
 * looper may take some more messages before it checks, but none after the send has returned.
 *
 * <p>At the front of the queue the last message to come is the first to go, so the same time is no later place:
 * messages for the front do not raise the horizon, and all of them are before it.
 *
 * <p>No thread waits: a sender preempted in between leaves the looper checking each time, as it would without this
 * class.
 */
public final class DrainHorizon extends CacheLinePadding {
    private static final long ONE_EVER = 1L << 32;
    private static final long ONE_NOW = 1;

    private static final VarHandle NANOS;
    private static final VarHandle OVERTAKING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NANOS = lookup.findVarHandle(DrainHorizon.class, "nanos", long.class);
            OVERTAKING = lookup.findVarHandle(DrainHorizon.class, "overtaking", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile long nanos = Long.MIN_VALUE;
    private volatile long overtaking;

    /** See {@link CacheLinePadding}. */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14;

    // ---- senders

    /** Opaque: a first check, to be followed by {@link #recheckAfterPush} after the push. */
    public boolean isOvertaking(long dueNanos) {
        return dueNanos < (long) NANOS.getOpaque(this);
    }

    /** To be called by an overtaking sender before the push, and before the end marker is pushed. */
    public void beginOvertaking() {
        getAndAddOvertaking(ONE_EVER + ONE_NOW);
    }

    /** To be called after the push by a sender that has called {@link #beginOvertaking}. */
    public void endOvertaking() {
        getAndAddOvertaking(-ONE_NOW);
    }

    /** To be called after the push by a sender that has not called {@link #beginOvertaking}. */
    public void recheckAfterPush(long dueNanos) {
        if (dueNanos < nanosVolatile()) {
            getAndAddOvertaking(ONE_EVER);
        }
    }

    // ---- the looper

    /** Volatile: must be followed by a check of the stack. */
    public void raiseVolatile(long newNanos) {
        nanos = newNanos;
    }

    /**
     * The senders that have announced themselves so far; the number changes with each. Volatile: a later look sees what
     * they pushed.
     */
    public long overtakingVolatile() {
        return overtaking;
    }

    /** True if all announced senders were done: the number need not be checked again. */
    public static boolean isSettled(long overtaking) {
        return (int) overtaking == 0;
    }

    /** Volatile: a sender's push comes before it. */
    private long nanosVolatile() {
        return nanos;
    }

    private void getAndAddOvertaking(long delta) {
        OVERTAKING.getAndAdd(this, delta);
    }
}
