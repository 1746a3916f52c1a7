package dev.unjank.looper;

/** Messages in the words of logs and reports. */
final class Described {
    private Described() {}

    /** Who is to do what: of a message that is being delivered, or that waits. */
    static String delivery(Message message) {
        Handler target = message.target;
        Runnable callback = message.callback;
        return target == null
                ? "a message that has ended"
                : target + ", " + work(callback == null ? null : callback.getClass(), message.what);
    }

    /** What is to be done. */
    static String work(@Nullable Class<?> callback, int what) {
        return callback == null ? "what=" + what : "callback " + callback.getName();
    }

    /** Who has sent it, if that was noted. */
    static String sender(@Nullable Object name) {
        return name == null ? "" : ", sent by " + (name.equals("") ? "a thread without name" : name);
    }
}
