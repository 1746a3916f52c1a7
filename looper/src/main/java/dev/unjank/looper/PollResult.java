package dev.unjank.looper;

/**
 * What the looper knows from its last look at the queue. The looper writes it in every turn, so it lies in cache lines of its
 * own and not in the queue's, which producers read in every post.
 */
final class PollResult extends CacheLinePadding {
    /** The time of the look, in nanoseconds. */
    long lookedAt = Long.MIN_VALUE;

    // If the look found nothing to take:
    /** When the next message that barriers let through is due, in nanoseconds, or {@link MessageQueue#NEVER}. */
    long deadline;
    /** True if nothing is due, not even a barrier or something that a barrier holds up. */
    boolean idle;
    /** True if the queue has been quit and will never give a message again. */
    boolean ended;

    /** True while the looper is inside the waker; the one field that others read. */
    volatile boolean polling;

    /** See {@link CacheLinePadding}. */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14;
}
