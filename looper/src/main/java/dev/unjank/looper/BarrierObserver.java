package dev.unjank.looper;

/**
 * A message observer that also takes notes on barriers. Barriers are never delivered; a {@link QueueScan} reads the
 * note.
 */
interface BarrierObserver extends MessageObserver {
    /**
     * Called on the posting thread before a barrier is posted. The returned note is kept like the note of a message.
     */
    Object postingBarrier();
}
