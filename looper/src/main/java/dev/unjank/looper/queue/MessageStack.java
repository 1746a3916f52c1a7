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
 * The inbox of the lock-free queue: a Treiber stack that producers push to and never pop, and that can be closed.
 *
 * <p><b>Structure.</b> A singly linked list from the newest message to the oldest. A producer links its message to the
 * current top and swings the top with one compare-and-set. At that instant the message counts as sent: the order on the
 * stack is the order of sending. A message stays on the list until it has been taken or removed, so a thread that reads
 * the top once sees everything sent before and nothing sent after.
 *
 * <p><b>Unlinking</b> is done by the looper alone ({@link MessageGenerations}): it makes a newer neighbour's link skip
 * dead messages, or swings the top from a dead message to an older one. A dead message keeps a link to the same older
 * message as its neighbour's, so a reader on a dead message continues to older ones. By induction over the unlinkings,
 * from every message that was ever on the stack the links lead through all older live messages: each step leaves out
 * dead messages and skips no other. The race on a link is therefore benign: either value is correct.
 *
 * <p><b>No ABA.</b> A message is pushed at most once in its life ({@link NodeState}), so the top is never twice the result
 * of the same push. The same message may become top again after newer ones have died and been unlinked. A producer that
 * has linked its message to it then succeeds, correctly: its message goes on top of that one.
 *
 * <p><b>Closing.</b> An end marker is pushed like a message and stays the top for ever. A push that finds it fails, so
 * every push is either below the marker, where the looper will find it, or has returned false. To recognize a marker, a
 * push would have to read a field of the top, a line that another processor has just written. So the closing thread
 * raises a flag first, and a push checks for the marker only if the flag is up.
 *
 * <pre>
 * top          meaning                           changed by
 * null         nothing waits                     push, close
 * a message    the newest, or dead               push, close; the looper, if it is this one and dead
 * an END       closed: final                     -
 * </pre>
 *
 * <p>The top has a cache line to itself, and another one beside it for processors that fetch lines in pairs: it is the
 * only word that all producers write.
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

    /** Raised before an end marker is pushed. */
    private boolean closing;

    /** See the fields of the same kind above. */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14;

    // ---- any thread

    /**
     * Puts a claimed message on top.
     *
     * @param counting whether to count how many messages are pushed on a sleeping looper: {@link NodeState#depth}. Off by
     *     default, since the count so far is in the message below, a line that another processor has just written
     * @return false if the stack is closed
     */
    public boolean push(Node message, boolean counting) {
        Node current = topAcquire();
        setQueuedPlain(message, counting ? 1 + depthOf(current) : 0);
        for (; ; ) {
            // plain: a thread that read an end marker as the top (acquire) sees the flag that was raised before it
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

    /** Puts an end marker on top; false if there was one. */
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

    /** Acquire: makes all messages from here down visible, as each push acquired the one below before releasing. */
    public @Nullable Node topAcquire() {
        return (Node) TOP.getAcquire(this);
    }

    /** Volatile: for answers that depend on the time of the read. */
    public @Nullable Node topVolatile() {
        return top;
    }

    /**
     * Volatile: the producer's next step, the check whether the looper sleeps, must come after it. The looper unlinks a
     * dead top with it.
     */
    public boolean casTop(@Nullable Node expected, @Nullable Node replacement) {
        return TOP.compareAndSet(this, expected, replacement);
    }
}

/** The top, between paddings. */
abstract class PaddedTop extends CacheLinePadding {
    volatile @Nullable Node top;
}
