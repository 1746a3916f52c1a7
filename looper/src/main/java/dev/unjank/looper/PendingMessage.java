package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.kind;

import dev.unjank.looper.queue.NodeState;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * An immutable snapshot of one waiting message, or of one barrier, from {@link MessageQueue#pending()}. It retains only
 * the handler, not the message, and does not change when the message is run or removed.
 *
 * @param target the handler of the message; null for a barrier
 * @param what the code of the message; 0 for a Runnable and for a barrier
 * @param callback the class of the Runnable, or of the submitted or scheduled task; null if the handler receives the
 *     message, and for a barrier
 * @param when the due time, in milliseconds on the looper's clock, as {@link Message#getWhen()}; 0 at the front of the
 *     queue
 * @param deadlineNanos the due time in nanoseconds, as {@link Clock#nanos()}; {@link Long#MAX_VALUE} for never
 * @param asynchronous true if barriers let the message pass
 * @param barrier the token of a barrier; null for a message
 * @param postedAt the stack of the sender, the innermost call first; empty unless {@link TestLooper#captureStacks} was
 *     on
 */
public record PendingMessage(
        @Nullable Handler target,
        int what,
        @Nullable Class<?> callback,
        long when,
        long deadlineNanos,
        boolean asynchronous,
        @Nullable Integer barrier,
        List<StackTraceElement> postedAt) {

    /** Copies the stack. */
    public PendingMessage {
        postedAt = List.copyOf(Objects.requireNonNull(postedAt, "postedAt"));
    }

    /** Reads a message; callers discard the result if another thread may have changed it meanwhile. */
    static PendingMessage of(Message m) {
        return new PendingMessage(
                m.target,
                m.what,
                QueuedTask.classOf(m.callback),
                NodeState.when(m),
                dueNanos(m),
                kind(m) == ASYNCHRONOUS,
                kind(m) == BARRIER ? m.arg1 : null,
                PostSiteObserver.of(m));
    }

    /**
     * Describes handler and work without the time, so that all messages of a repeated task have the same description.
     */
    String task() {
        if (barrier != null) {
            return "barrier " + barrier;
        }
        return (callback != null ? callback.getName() : "what=" + what) + " of " + target;
    }

    /**
     * Describes the message, without the stack.
     *
     * @return the Runnable's class or the code, the handler, and the time
     */
    @Override
    public String toString() {
        return task() + (asynchronous ? ", asynchronous" : "") + ", due at " + when + " ms";
    }
}
