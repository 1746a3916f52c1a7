package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

/** Messages in the words of logs and reports. */
final class MessageDescription {
    private MessageDescription() {}

    /** Who is to do what: of a message that is being delivered, or that waits. */
    static String delivery(Message message) {
        Handler target = message.target;
        return target == null
                ? "a message that has ended"
                : target + ", " + work(QueuedTask.classOf(message.callback), message.what);
    }

    /** What is to be done. */
    static String work(@Nullable Class<?> callback, int what) {
        return callback == null ? "what=" + what : "callback " + callback.getName();
    }

    /** Who has sent it, if that was noted. */
    static String sender(@Nullable Object name) {
        return name == null ? "" : ", sent by " + name;
    }

    /** A thread's name, in place of which virtual threads usually have none. */
    static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "tid " + thread.getId() : name;
    }
}
