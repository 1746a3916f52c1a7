package dev.unjank.looper;

/** An observer that also notes something about barriers. They are never delivered, so only a walk finds the note again. */
interface BarrierObserver extends MessageObserver {
    /** A barrier is about to be put in the queue. On the thread that posts it; the note is kept like that of a message. */
    Object postingBarrier();
}
