package dev.unjank.looper;

/** Messages in the words of logs and reports. */
final class Described {
    private Described() {}

    /** Who is to do what: of a message that is being delivered, or that waits. */
    static String delivery(Message message) {
        Handler target = message.target;
        return target == null ? "a message that has ended" : target + ", " + work(message);
    }

    /** What is to be done. */
    static String work(Message message) {
        Runnable callback = message.callback;
        return callback == null
                ? "what=" + message.what
                : "callback " + callback.getClass().getName();
    }
}
