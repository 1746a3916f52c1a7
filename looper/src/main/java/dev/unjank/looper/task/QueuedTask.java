package dev.unjank.looper.task;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.util.Nullable;

/**
 * A Runnable that is notified when the message that carries it has ended, whether or not it was run. So a thread that
 * waits for a future is released even if the message is dropped.
 */
public interface QueuedTask extends Runnable {
    /**
     * Called once for each message that has carried this task, as soon as the message has released it: after delivery,
     * or because the message was removed, dropped by quitting, or refused by the queue. Called by the thread that ended
     * the message, without a lock of the queue.
     *
     * @param message the message, cleared
     */
    void released(Node message);

    /** Returns the class of the task that the sender submitted, if this wraps one. */
    default Class<?> taskClass() {
        return getClass();
    }

    /**
     * Returns the class that identifies the work of a message to users: the class of the submitted task, not of its
     * wrapper.
     */
    static @Nullable Class<?> classOf(@Nullable Runnable runnable) {
        return runnable instanceof QueuedTask task ? task.taskClass() : runnable == null ? null : runnable.getClass();
    }
}
