package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.wasIntact;

import dev.unjank.looper.queue.KeyIndex;
import dev.unjank.looper.util.Nullable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The criterion of a removal or a search. A matcher may run concurrently with threads that clear the message; the queue
 * then discards the result.
 *
 * <p>A matcher with a key matches only messages that the {@link KeyIndex} contains under that key.
 */
@SuppressWarnings("ReferenceEquality") // handlers, Runnables and tokens are compared by identity
final class MessageMatcher implements Predicate<Message> {
    private final Predicate<Message> condition;

    /** The key of matching messages in the index, or {@link KeyIndex#NO_KEY}. */
    final int key;

    /** True if Runnables without a code may match: they count as having code 0. */
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

    /** Matches messages of a handler with a code; a null token matches any. */
    static MessageMatcher code(Handler handler, int what, @Nullable Object token) {
        return new MessageMatcher(
                MessageKeys.ofCode(handler, what),
                what == 0,
                m -> m.target == handler && m.what == what && (token == null || m.obj == token));
    }

    /** Matches posts of a Runnable; a null token matches any. */
    static MessageMatcher callback(Handler handler, Runnable r, @Nullable Object token) {
        return new MessageMatcher(
                MessageKeys.ofCallback(r),
                false,
                m -> m.target == handler && m.callback == r && (token == null || m.obj == token));
    }

    /** Matches all messages of a handler; a null token matches any. */
    static MessageMatcher token(Handler handler, @Nullable Object token) {
        return new MessageMatcher(
                KeyIndex.NO_KEY, false, m -> m.target == handler && (token == null || m.obj == token));
    }

    /**
     * Returns a matcher for the currently waiting messages that match the criterion and have an object that is equal to
     * a token.
     *
     * <p>The token's {@code equals} is user code. It is called here, after the visit of the queue and without a lock,
     * never during a visit, so it may be slow, throw, or use the queue. At worst, a message found here has left the
     * queue when the caller visits it. A message is queued only once, so the result cannot match another message.
     */
    static Predicate<Message> equalNow(MessageQueue queue, Predicate<Message> match, Object token) {
        List<Message> candidates = new ArrayList<>();
        queue.has(m -> match.test(m) && !candidates.add(m)); // never true, so that all messages are visited
        Set<Message> equal = new HashSet<>();
        for (Message m : candidates) {
            Object object = m.obj;
            if (wasIntact(m) && token.equals(object)) {
                equal.add(m);
            }
        }
        return equal::contains;
    }

    /** Matches one message. */
    static MessageMatcher message(Message message) {
        return new MessageMatcher(KeyIndex.NO_KEY, false, m -> m == message);
    }

    /** Matches a barrier. */
    static MessageMatcher barrier(int token) {
        return new MessageMatcher(MessageKeys.ofBarrier(token), false, m -> kind(m) == BARRIER && m.arg1 == token);
    }
}
