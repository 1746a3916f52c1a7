package dev.unjank.looper.queue;

/**
 * The result of the looper's last poll of the queue. The looper writes it in every turn, so it has its own cache lines,
 * separate from the queue's fields, which producers read in every post.
 */
public final class PollResult extends CacheLinePadding {
    /** The time of the poll, in nanoseconds. */
    public long lookedAt = Long.MIN_VALUE;

    // If the poll found nothing to deliver:
    /**
     * The due time of the next message that is not blocked by a barrier, in nanoseconds, or {@link NodeState#NEVER}.
     */
    public long deadline;
    /** True if nothing is due: neither a message, nor a barrier, nor a message behind a barrier. */
    public boolean idle;
    /** True if the queue has been quit and will never deliver a message again. */
    public boolean ended;

    /** True while the looper is inside the waker; the only field that other threads read. */
    public volatile boolean polling;

    /** See {@link CacheLinePadding}. */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14;
}
