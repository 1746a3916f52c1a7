package dev.unjank.looper;

import java.util.function.Predicate;

/**
 * Which messages are meant by those who remove or ask. A match may run beside threads that clear the message; the queue
 * then discards the answer.
 */
@SuppressWarnings("ReferenceEquality") // handlers, Runnables and tokens are told apart by identity
final class Match {
    private Match() {}

    /** Messages of a handler with a code; a null token means any. */
    static Predicate<Message> code(Handler handler, int what, @Nullable Object token) {
        return m -> m.target == handler && m.what == what && (token == null || m.obj == token);
    }

    /** Posts of a Runnable; a null token means any. */
    static Predicate<Message> callback(Handler handler, Runnable r, @Nullable Object token) {
        return m -> m.target == handler && m.callback == r && (token == null || m.obj == token);
    }

    /** Everything of a handler; a null token means any. */
    static Predicate<Message> token(Handler handler, @Nullable Object token) {
        return m -> m.target == handler && (token == null || m.obj == token);
    }

    /** One message. */
    static Predicate<Message> message(Message message) {
        return m -> m == message;
    }

    /** A barrier. */
    static Predicate<Message> barrier(int token) {
        return m -> m.kind == Node.BARRIER && m.arg1 == token;
    }
}
