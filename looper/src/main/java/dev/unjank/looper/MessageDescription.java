package dev.unjank.looper;

import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;

/** Formats messages for logs and reports. */
final class MessageDescription {
    private MessageDescription() {}

    /** Describes the handler and the work of a message that is being delivered or waits. */
    static String delivery(Message message) {
        Handler target = message.target;
        return target == null
                ? "a message that has ended"
                : target + ", " + work(QueuedTask.classOf(message.callback), message.what);
    }

    /** Returns the Runnable's class or the message's code. */
    static String work(@Nullable Class<?> callback, int what) {
        return callback == null ? "what=" + what : "callback " + callback.getName();
    }

    /** Returns the sender, if it was recorded. */
    static String sender(@Nullable Object name) {
        return name == null ? "" : ", sent by " + name;
    }

    /** Returns a thread's name, or its number: virtual threads usually have no name. */
    static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "tid " + thread.getId() : name;
    }
}
