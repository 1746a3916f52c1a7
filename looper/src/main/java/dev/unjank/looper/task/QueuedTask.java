package dev.unjank.looper.task;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.util.Nullable;

/**
 * A Runnable that is notified when the message that carries it has ended, whether or not it was run. So no future waits
 * for ever, even if its message is dropped.
 */
public interface QueuedTask extends Runnable {
    /**
     * Called once for each message that has carried this, as soon as the message has released it: after delivery, or
     * because it was removed, dropped by quitting, or refused by the queue. Called by the thread that did this, which
     * holds no lock of the queue.
     *
     * @param message the message, cleared
     */
    void released(Node message);

    /** The class of the task that the sender submitted, if this wraps one. */
    default Class<?> taskClass() {
        return getClass();
    }

    /** The class by which users know the work of a message: that of their task, not of its wrapper. */
    static @Nullable Class<?> classOf(@Nullable Runnable runnable) {
        return runnable instanceof QueuedTask task ? task.taskClass() : runnable == null ? null : runnable.getClass();
    }
}
