package dev.unjank.looper;

/** An observer that also takes notes on barriers. Barriers are never delivered: a {@link QueueScan} reads the note. */
interface BarrierObserver extends MessageObserver {
    /** A barrier is about to be posted. On the thread that posts it; the note is kept like that of a message. */
    Object postingBarrier();
}
