package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

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

    /** The class of the task that its sender handed over, if this is something around it. */
    default Class<?> taskClass() {
        return getClass();
    }

    /** The class by which people know what a message runs: not that of our own objects around their tasks. */
    static @Nullable Class<?> classOf(@Nullable Runnable runnable) {
        return runnable instanceof QueuedTask task ? task.taskClass() : runnable == null ? null : runnable.getClass();
    }
}
