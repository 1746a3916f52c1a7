package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.END;
import static dev.unjank.looper.queue.NodeState.casDepth;
import static dev.unjank.looper.queue.NodeState.depth;
import static dev.unjank.looper.queue.NodeState.isSettled;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.setNextPlain;
import static dev.unjank.looper.queue.NodeState.setQueuedPlain;

import dev.unjank.looper.util.Nullable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The inbox of the lock-free queue: a Treiber stack to which producers push, from which they never pop, and that can be
 * closed.
 *
 * <p><b>Structure.</b> The stack is a singly linked list from the newest message to the oldest. A producer links its
 * message to the current top and moves the top with one compare-and-set. At that instant the message counts as sent, so
 * the order on the stack is the order of sending. A message stays on the list until it has been taken or removed, so a
 * thread that reads the top once sees all messages sent before that read and none sent after it.
 *
 * <p><b>Unlinking</b> is done by the looper alone ({@link MessageGenerations}): it makes a newer message's link skip
 * dead messages, or moves the top from a dead message to an older one. A dead message keeps a link to the same older
 * message, so a traversal that is at a dead message continues to older messages. By induction over the unlinkings, from
 * every message that was ever on the stack the links lead through all older live messages: each step skips only dead
 * messages. The race on a link is therefore benign: either value is correct.
 *
 * <p><b>No ABA.</b> A message is pushed at most once in its life ({@link NodeState}), so the top is never twice the
 * result of the same push. The same message may become the top again after newer ones have died and been unlinked. If a
 * producer has linked its message to that top, its compare-and-set then succeeds, correctly: its message goes on top of
 * it.
 *
 * <p><b>Closing.</b> An end marker is pushed like a message and stays the top forever. A push that finds it fails, so
 * every pushed message is either below the marker, where the looper will find it, or its push has returned false. To
 * recognize a marker, a push would have to read a field of the top, in a cache line that another processor has just
 * written. So the closing thread sets a flag first, and a push checks for the marker only if the flag is set.
 *
 * <pre>
 * top          meaning                           changed by
 * null         nothing waits                     push, close
 * a message    the newest, or dead               push, close; the looper, if it is this one and dead
 * an END       closed: final                     -
 * </pre>
 *
 * <p>The top is the only word that all producers write, so it is padded to two cache lines, since some processors fetch
 * lines in pairs.
 */
public final class MessageStack extends PaddedTop {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(MessageStack.class, "top", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Set before an end marker is pushed. */
    private boolean closing;

    /** See {@link CacheLinePadding}. */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14;

    // ---- any thread

    /**
     * Pushes a claimed message.
     *
     * @param counting whether to count the messages pushed on a sleeping looper: {@link NodeState#depth}. Otherwise
     *     false, since the previous count is in the message below, in a cache line that another processor has just
     *     written
     * @return false if the stack is closed
     */
    public boolean push(Node message, boolean counting) {
        Node current = topAcquire();
        setQueuedPlain(message, counting ? 1 + depthOf(current) : 0);
        for (; ; ) {
            // plain: a thread that has read an end marker as the top (acquire) sees the flag, which was set before
            if (closing && isEnd(current)) {
                return false;
            }
            setNextPlain(message, current);
            if (casTop(current, message)) {
                return true;
            }
            current = topAcquire();
            if (counting) {
                casDepth(message, 1 + depthOf(current));
            }
        }
    }

    private static int depthOf(@Nullable Node top) {
        return top == null || isSettled(top) ? 0 : depth(top);
    }

    /** Pushes an end marker; returns false if there already is one. */
    public boolean close(Node end) {
        closing = true;
        for (; ; ) {
            Node current = topAcquire();
            if (isEnd(current)) {
                return false;
            }
            setNextPlain(end, current);
            if (casTop(current, end)) {
                return true;
            }
        }
    }

    public static boolean isEnd(@Nullable Node message) {
        return message != null && kind(message) == END;
    }

    /**
     * Acquire: makes all messages from the top down visible, as each push acquired the message below before it released
     * its own.
     */
    public @Nullable Node topAcquire() {
        return (Node) TOP.getAcquire(this);
    }

    /** Volatile: for results that depend on the time of the read. */
    public @Nullable Node topVolatile() {
        return top;
    }

    /**
     * Volatile: the producer's next step, the check whether the looper sleeps, must be ordered after it. The looper
     * also unlinks a dead top with it.
     */
    public boolean casTop(@Nullable Node expected, @Nullable Node replacement) {
        return TOP.compareAndSet(this, expected, replacement);
    }
}

/** The top of the stack, with padding before it; {@link MessageStack} adds the padding after it. */
abstract class PaddedTop extends CacheLinePadding {
    volatile @Nullable Node top;
}
