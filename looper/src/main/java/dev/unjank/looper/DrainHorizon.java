package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets the looper take what it has at hand without looking at the stack before each message.
 *
 * <p>The top of the stack is the word that producers fight for; a looper that reads it before every delivery fights along,
 * and each of its looks costs the next producer a cache miss. But most messages are due later than all that the looper
 * has at hand, or at the same time, and then they come after it whether it looks or not. So it says how far it goes
 * without looking, and only those who must be ahead of that announce themselves.
 *
 * <pre>
 * word         meaning                                             changed by
 * nanos        the looper may take what is due by then             the looper, upwards
 *              without looking for news
 * overtaking   low half: how many senders are about to overtake    senders of what is due before nanos: one more,
 *              or have begun to quit; high half: how many have     then one less when they are done; quit: one more,
 *              begun ever, without what is above 32 bits           and never less
 * </pre>
 *
 * <p><b>Nothing overtakes unseen.</b> A sender that knows that it overtakes announces itself before it pushes, and is done
 * afterwards; in between the looper looks each time. If the horizon was raised while the sender was about to push, either
 * the looper, which looks again after raising it, has seen the message, or the sender, which reads the horizon
 * again after pushing, sees that it has overtaken, and says so. In that case the looper may take some messages more before
 * it looks, but not after the send has returned.
 *
 * <p>At the front of the queue the last to come is the first to go, so there the same time is no later place: messages to the
 * front do not raise the horizon, and all of them are before it.
 *
 * <p>Nobody waits: a sender that loses its processor in between leaves the looper looking each time, as it would
 * without all this.
 */
final class DrainHorizon extends CacheLinePadding {
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

    /** Opaque: a first look, to be followed by one in {@link #lookAgain} after the push. */
    boolean isOvertaking(long dueNanos) {
        return dueNanos < (long) NANOS.getOpaque(this);
    }

    /** To be called before the push by whoever overtakes, and before the end is pushed. */
    void begin() {
        getAndAddOvertaking(ONE_EVER + ONE_NOW);
    }

    /** To be called after the push by whoever has begun. */
    void done() {
        getAndAddOvertaking(-ONE_NOW);
    }

    /** To be called after the push by whoever has not begun. */
    void lookAgain(long dueNanos) {
        if (dueNanos < nanosVolatile()) {
            getAndAddOvertaking(ONE_EVER);
        }
    }

    // ---- the looper

    /** Volatile: to be followed by a look at the stack. */
    void raiseVolatile(long newNanos) {
        nanos = newNanos;
    }

    /** Who has announced itself so far; a number that changes with each. Volatile: what they pushed is seen by a later look. */
    long overtakingVolatile() {
        return overtaking;
    }

    /** True if all who had begun were done: the number is not to be looked after again. */
    static boolean isSettled(long overtaking) {
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
