package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.SYNCHRONOUS;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state of the looper's sleep: whether the looper sleeps, and which changes must wake it.
 *
 * <pre>
 * word         meaning                                    becomes          by
 * null         awake: it will look at the queue by        a new Parked     the looper, before it sleeps
 *              itself before it sleeps
 * a Parked     asleep, or about to be: must be woken      null             the looper, when it goes on
 *              for messages due before its times          null             the thread that woke it (compare-and-set)
 * </pre>
 *
 * <p><b>No wake-up is lost.</b> The looper writes a Parked and then checks the queue once more; a producer changes the
 * queue and then reads this word. Writes and reads are volatile on both sides, so at least one of the two threads sees
 * the other's write: either the looper finds the change and does not sleep, or the producer finds the Parked and wakes
 * the looper.
 *
 * <p><b>No wake-up depends on another thread.</b> A producer first wakes the looper and then changes the word to null,
 * which only saves other producers a redundant wake. In the reverse order, a producer preempted between the two steps
 * would delay the wake-up on which all other producers rely. Each Parked is a new object, so a late compare-and-set
 * cannot end a later sleep.
 */
public final class WaitState extends CacheLinePadding {
    /** One sleep of the looper, with the changes that must end it. */
    public static final class Parked {
        private final long synchronousBefore;
        private final long asynchronousBefore;
        private final int removals;

        /**
         * Describes one sleep.
         *
         * @param synchronousBefore a synchronous message due earlier must end the sleep; in nanoseconds, like the next
         *     parameter
         * @param asynchronousBefore an asynchronous message due earlier must end the sleep
         * @param removals this number of removed messages must end the sleep: they are dead, but linked until the
         *     looper unlinks them
         */
        public Parked(long synchronousBefore, long asynchronousBefore, int removals) {
            this.synchronousBefore = synchronousBefore;
            this.asynchronousBefore = asynchronousBefore;
            this.removals = removals;
        }

        /** Returns true if a new message must wake the looper. */
        public boolean mustWakeFor(int kind, long dueNanos) {
            return switch (kind) {
                case ASYNCHRONOUS -> dueNanos < asynchronousBefore;
                case SYNCHRONOUS -> dueNanos < synchronousBefore;
                default -> false; // a new barrier does not make any message deliverable
            };
        }

        /** Returns true if this number of removed messages must wake the looper. */
        public boolean mustWakeAfterRemovals(int count) {
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

    /**
     * See {@link CacheLinePadding}: producers read the word in each post, and adjacent memory may be written by the
     * looper.
     */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14;

    /**
     * Opaque: a hint for a thread that is about to change the queue and reads again afterwards. May be called from any
     * thread.
     */
    public boolean seemsParkedOpaque() {
        return PARKED.getOpaque(this) != null;
    }

    /**
     * Volatile: must be called after the change to the queue, and is ordered after it. May be called from any thread.
     */
    public @Nullable Parked parkedVolatile() {
        return parked;
    }

    /** Changes the word to awake. Must be called after the wake-up. May be called from any thread. */
    public void casParkedToAwake(Parked expected) {
        PARKED.compareAndSet(this, expected, (Parked) null);
    }

    /**
     * Volatile: must be called before the last check of the queue, and is ordered before that check. Called only by the
     * looper.
     */
    public void setParkedVolatile(Parked sleep) {
        parked = sleep;
    }

    /** Opaque: a thread that still sees the ended sleep only makes a redundant wake. Called only by the looper. */
    public void setAwakeOpaque() {
        if (PARKED.getOpaque(this) != null) {
            PARKED.setOpaque(this, (Parked) null);
        }
    }
}
