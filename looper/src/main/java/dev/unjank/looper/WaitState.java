package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether the looper sleeps, and what is worth waking it for.
 *
 * <pre>
 * word         meaning                                    becomes          by
 * null         awake: it will look at the queue by        a new Parked     the looper, before it sleeps
 *              itself before it sleeps
 * a Parked     asleep, or about to be: to be woken for    null             the looper, when it goes on
 *              messages due before the times it names     null             whoever has woken it (compare-and-set)
 * </pre>
 *
 * <p><b>No wake-up is lost.</b> The looper writes a Parked and then looks at the queue a last time; a producer changes
 * the queue and then reads this word. Write and read are volatile on both sides, so at least one of them sees the
 * other: either the looper finds the change and does not sleep, or the producer finds the Parked and wakes it.
 *
 * <p><b>Nobody waits for somebody else's wake-up.</b> It is the wake that comes first and the change to null after it,
 * which only spares others a needless wake. Done the other way round, a producer that loses its processor in between
 * would hold back the wake-up of everyone who relies on it. Each Parked is a new object, so a late compare-and-set
 * cannot hit a later sleep.
 */
final class WaitState extends CacheLinePadding {
    /** A sleep, and what is to end it. */
    static final class Parked {
        private final long synchronousBefore;
        private final long asynchronousBefore;
        private final int removals;

        /**
         * Makes a notice of sleep.
         *
         * @param synchronousBefore a synchronous message due earlier must end it; in nanoseconds, as the next
         * @param asynchronousBefore an asynchronous message due earlier must end it
         * @param removals so many messages removed must end it: they are dead, but linked until the looper comes by
         */
        Parked(long synchronousBefore, long asynchronousBefore, int removals) {
            this.synchronousBefore = synchronousBefore;
            this.asynchronousBefore = asynchronousBefore;
            this.removals = removals;
        }

        /** True if the looper must not sleep on when a message has come. */
        boolean mustEndFor(int kind, long dueNanos) {
            return switch (kind) {
                case Node.ASYNCHRONOUS -> dueNanos < asynchronousBefore;
                case Node.SYNCHRONOUS -> dueNanos < synchronousBefore;
                default -> false; // a barrier gives the looper nothing to do
            };
        }

        /** True if the looper must not sleep on when so many messages have been removed. */
        boolean mustEndAfterRemovals(int count) {
            return count >= removals;
        }
    }

    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(WaitState.class, "parked", Parked.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Parked parked;

    /** See {@link CacheLinePadding}: producers read the word in each post, and what lies beside it may be the looper's. */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14;

    /** Opaque: a hint for those who are about to change the queue, and will look again afterwards. Any thread. */
    boolean seemsParkedOpaque() {
        return PARKED.getOpaque(this) != null;
    }

    /** Volatile: to be called after the change to the queue, and ordered after it. Any thread. */
    @Nullable
    Parked parkedVolatile() {
        return parked;
    }

    /** To be called after the waker. Any thread. */
    void casParkedToAwake(Parked expected) {
        PARKED.compareAndSet(this, expected, (Parked) null);
    }

    /** Volatile: to be called before the last look at the queue, and ordered before it. Looper only. */
    void setParkedVolatile(Parked sleep) {
        parked = sleep;
    }

    /** Opaque: whoever still sees the sleep that has ended makes a needless wake, no more. Looper only. */
    void setAwakeOpaque() {
        if (PARKED.getOpaque(this) != null) {
            PARKED.setOpaque(this, (Parked) null);
        }
    }
}
