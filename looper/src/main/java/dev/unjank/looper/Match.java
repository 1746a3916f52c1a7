package dev.unjank.looper;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

    /**
     * Of the messages that wait now and match, those whose object is equal to a token.
     *
     * <p>The token's {@code equals} is the user's code. It is called here, after the visit of the queue and under no
     * lock, never during a visit: it may take its time, throw, or use the queue, and the worst that comes of it is that
     * a message found here has gone when the caller visits the queue. A message is queued once, so the answer cannot
     * hit another one.
     */
    static Predicate<Message> equalNow(MessageQueue queue, Predicate<Message> match, Object token) {
        List<Message> candidates = new ArrayList<>();
        queue.has(m -> match.test(m) && !candidates.add(m)); // never true, so that all are visited
        Set<Message> equal = new HashSet<>();
        for (Message m : candidates) {
            Object object = m.obj;
            if (m.wasIntact() && token.equals(object)) {
                equal.add(m);
            }
        }
        return equal::contains;
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
