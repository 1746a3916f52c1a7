package dev.unjank.looper.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The horizon up to which the looper may take drained messages without checking the stack before each of them.
 *
 * <p>Producers contend for the top of the stack. A looper that reads it before every delivery contends with them: each
 * of its reads costs the next producer a cache miss. But most new messages are due no earlier than all drained
 * messages, and so are delivered after them. So the looper publishes the time up to which it does not check, and only
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
 * <p><b>No overtaking message is missed.</b> A sender whose message overtakes announces itself before it pushes and
 * withdraws afterwards; in between the looper checks the stack before every message. If the horizon is raised while a
 * sender is about to push, then either the looper, which checks the stack after raising the horizon, has seen the
 * message; or the sender, which reads the horizon again after pushing, finds that its message has overtaken, and
 * announces itself then. In the latter case the looper may take some more messages before it checks, but none after the
 * send has returned.
 *
 * <p>Messages for the front of the queue are delivered in reverse order of sending, so each new one overtakes: such
 * messages do not raise the horizon, and all of them are before it.
 *
 * <p>No thread waits: while a sender is preempted in between, the looper checks the stack before every message, as it
 * would without this class.
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

    /** Opaque: a first check, which must be followed by {@link #recheckAfterPush} after the push. */
    public boolean isOvertaking(long dueNanos) {
        return dueNanos < (long) NANOS.getOpaque(this);
    }

    /** Announces a sender. Called by an overtaking sender before its push, and before the end marker is pushed. */
    public void beginOvertaking() {
        getAndAddOvertaking(ONE_EVER + ONE_NOW);
    }

    /** Withdraws a sender. Called after the push by a sender that has called {@link #beginOvertaking}. */
    public void endOvertaking() {
        getAndAddOvertaking(-ONE_NOW);
    }

    /**
     * Announces a sender whose message has overtaken meanwhile. Called after the push by a sender that has not called
     * {@link #beginOvertaking}.
     */
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
     * Returns the overtaking word, which changes with each announcement. Volatile: a later check of the stack sees the
     * messages pushed before.
     */
    public long overtakingVolatile() {
        return overtaking;
    }

    /** Returns true if all announced senders have withdrawn. */
    public static boolean isSettled(long overtaking) {
        return (int) overtaking == 0;
    }

    /** Volatile: ordered after the sender's push. */
    private long nanosVolatile() {
        return nanos;
    }

    private void getAndAddOvertaking(long delta) {
        OVERTAKING.getAndAdd(this, delta);
    }
}
