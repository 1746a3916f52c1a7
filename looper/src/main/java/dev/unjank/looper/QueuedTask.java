package dev.unjank.looper;

/**
 * A Runnable for whose result somebody may be waiting, so that it must learn when the message that carries it has ended,
 * whether or not it was run. This is why no future waits for ever, however its message came to be dropped.
 */
interface QueuedTask extends Runnable {
    /**
     * Called once for each message that has carried this, as soon as the message has let go of it: after delivery, or
     * because it was removed, dropped by quitting, or refused by the queue. Called by the thread that did this, which
     * holds no lock of the queue.
     *
     * @param message the message, cleared
     */
    void released(Message message);
}
