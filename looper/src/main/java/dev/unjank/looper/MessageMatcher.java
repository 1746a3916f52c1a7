package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which messages are meant by those who remove or ask. A match may run beside threads that clear the message; the queue
 * then discards the answer.
 *
 * <p>A match that has a key finds nothing outside what {@link KeyIndex} has under that key.
 */
@SuppressWarnings("ReferenceEquality") // handlers, Runnables and tokens are told apart by identity
final class MessageMatcher implements Predicate<Message> {
    private final Predicate<Message> condition;

    /** Under which its messages are indexed, or {@link KeyIndex#NO_KEY}. */
    final int key;

    /** True if what is looked for may be a Runnable without a code, which counts as having code 0. */
    final boolean codeZero;

    private MessageMatcher(int key, boolean codeZero, Predicate<Message> condition) {
        this.key = key;
        this.codeZero = codeZero;
        this.condition = condition;
    }

    @Override
    public boolean test(Message m) {
        return condition.test(m);
    }

    /** Messages of a handler with a code; a null token means any. */
    static MessageMatcher code(Handler handler, int what, @Nullable Object token) {
        return new MessageMatcher(
                KeyIndex.codeKey(handler, what),
                what == 0,
                m -> m.target == handler && m.what == what && (token == null || m.obj == token));
    }

    /** Posts of a Runnable; a null token means any. */
    static MessageMatcher callback(Handler handler, Runnable r, @Nullable Object token) {
        return new MessageMatcher(
                KeyIndex.callbackKey(r),
                false,
                m -> m.target == handler && m.callback == r && (token == null || m.obj == token));
    }

    /** Everything of a handler; a null token means any. */
    static MessageMatcher token(Handler handler, @Nullable Object token) {
        return new MessageMatcher(
                KeyIndex.NO_KEY, false, m -> m.target == handler && (token == null || m.obj == token));
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
    static MessageMatcher message(Message message) {
        return new MessageMatcher(KeyIndex.NO_KEY, false, m -> m == message);
    }

    /** A barrier. */
    static MessageMatcher barrier(int token) {
        return new MessageMatcher(KeyIndex.barrierKey(token), false, m -> m.kind() == Node.BARRIER && m.arg1 == token);
    }
}
