package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Where producers leave messages: a Treiber stack that one looper reads and unlinks from, and that can be closed.
 *
 * <p><b>Structure.</b> A singly linked list from the newest message to the oldest. A producer links its message to the
 * present top and swings the top with one compare-and-set; that instant is when the message was sent, and the order on
 * the stack is the order of sending. Nothing is popped: a message stays on the list until it has been taken or removed,
 * so whoever reads the top once sees all that was sent before and nothing that was sent after.
 *
 * <p><b>The looper's side.</b> {@link #drain()} walks from the top down to the last message it has seen and writes back
 * links on its way, which gives it the new messages oldest first, and lets {@link #unlink} take any of them out of the
 * middle in constant time. Only the looper unlinks, and only the looper reads the back links.
 *
 * <p><b>Traversal beside unlinking.</b> Any thread may follow the links down from the top at any time. Unlinking a
 * message changes the link of its newer neighbour and leaves its own, so that a reader standing on an unlinked message
 * goes on to older ones. By induction over the unlinkings, from every message that was ever on the stack the links lead
 * through all older messages that are still on it: each step takes out one message and skips no other. The race on the
 * link is therefore benign, whichever value the reader gets.
 *
 * <p><b>No ABA.</b> A message is pushed at most once in its life ({@link Node}). A producer's compare-and-set may
 * succeed only while its message's link names the present top; that top cannot have gone and come back.
 *
 * <p><b>Closing.</b> An end marker is pushed like a message and stays the top for ever. A push that finds it fails, so
 * every push is either below the marker, and will be found by the looper, or has returned false. Reading a field of the
 * top to find out whether it is a marker would fetch a line that another processor has just written, in every push; so
 * whoever closes raises a flag first, and a push looks at the marker only if the flag is up.
 *
 * <pre>
 * top          meaning                           changed by
 * null         nothing waits                     push, close
 * a message    the newest that waits             push, close; unlink if it is this one
 * an END       closed: final                     nobody
 * </pre>
 */
final class MessageStack {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(MessageStack.class, "top", Message.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Message top;

    /** Raised before an end marker is pushed. */
    private boolean closing;

    /** The top at the last drain, or what was below it when it was unlinked. Belongs to the looper. */
    private @Nullable Message seen;

    // ---- any thread

    /** Puts a message on top; false if the stack is closed. */
    boolean push(Message message) {
        for (; ; ) {
            Message current = topAcquire();
            // plain: whoever has read an end marker as the top (acquire) sees the flag that was raised before it
            if (closing && isEnd(current)) {
                return false;
            }
            message.setNextPlain(current);
            if (casTop(current, message)) {
                return true;
            }
        }
    }

    /** Puts an end marker on top; false if there was one. */
    boolean close(Message end) {
        closing = true;
        for (; ; ) {
            Message current = topAcquire();
            if (isEnd(current)) {
                return false;
            }
            end.setNextPlain(current);
            if (casTop(current, end)) {
                return true;
            }
        }
    }

    static boolean isEnd(@Nullable Message message) {
        return message != null && message.kind == Node.END;
    }

    /** Acquire: makes visible all messages from here down, as each push has acquired the one below before releasing. */
    @Nullable
    Message topAcquire() {
        return (Message) TOP.getAcquire(this);
    }

    /** Volatile: for those whose answer depends on when they looked. */
    @Nullable
    Message topVolatile() {
        return top;
    }

    /** Volatile: what a producer does next, looking whether the looper sleeps, must come after it. */
    private boolean casTop(@Nullable Message expected, @Nullable Message replacement) {
        return TOP.compareAndSet(this, expected, replacement);
    }

    // ---- the looper

    /**
     * Catches up with the top.
     *
     * @return the oldest message not seen before, whose {@link Node#newer} leads to the others; null if none is new
     */
    @Nullable
    Message drain() {
        Message current = topAcquire();
        if (current == seen) {
            return null;
        }
        Message oldest = linkBack(current, seen);
        seen = current;
        return oldest;
    }

    /** True if something has been pushed since the last drain. Volatile: it comes after the notice of sleep. */
    boolean hasNewsVolatile() {
        return topVolatile() != seen;
    }

    /** Takes out a message that a drain has seen. */
    void unlink(Message message) {
        Message older = message.nextPlain();
        if (message == seen) {
            seen = older;
            if (casTop(message, older)) {
                if (older != null) {
                    older.newer = null;
                }
                return;
            }
            // newer ones have come, one of which links to this message: the drain to come will go over them again
            linkBack(topAcquire(), message);
        }
        Message newer = Objects.requireNonNull(message.newer, "only the top has no newer neighbour");
        newer.setNextOpaque(older);
        if (older != null) {
            older.newer = newer;
        }
        message.newer = null;
    }

    /** Writes back links from one message down to another that was there before (or to the end); returns the oldest. */
    private static @Nullable Message linkBack(@Nullable Message from, @Nullable Message until) {
        Message newer = null;
        for (Message m = from; m != null && m != until; m = m.nextPlain()) {
            m.newer = newer;
            newer = m;
        }
        if (until != null) {
            until.newer = newer;
        }
        return newer;
    }
}
