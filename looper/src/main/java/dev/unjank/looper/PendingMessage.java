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
 * A snapshot of one waiting message, or of one barrier, by {@link MessageQueue#pending()}. Immutable, and not the
 * message itself: it keeps only the handler alive, and does not change when the message is run or removed.
 *
 * @param target the handler that will receive it; null for a barrier
 * @param what its code; 0 for a Runnable and for a barrier
 * @param callback the class of its Runnable, or of the submitted or scheduled task; null if it goes to the handler, and
 *     for a barrier
 * @param when its due time, in milliseconds on the looper's clock, as {@link Message#getWhen()}; 0 at the front of the
 *     queue
 * @param deadlineNanos the same in nanoseconds, as {@link Clock#nanos()}; {@link Long#MAX_VALUE} for never
 * @param asynchronous true if barriers let it pass
 * @param barrier the token of a barrier; null for a message
 * @param postedAt where it was posted, the innermost call first; empty unless {@link TestLooper#captureStacks} was on
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

    /** The stack is copied. */
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

    /** Handler and work without the time: the same for every message that a task sends again and again. */
    String task() {
        if (barrier != null) {
            return "barrier " + barrier;
        }
        return (callback != null ? callback.getName() : "what=" + what) + " of " + target;
    }

    /**
     * Describes it for people, without the stack.
     *
     * @return the Runnable's class or the code, the handler, and the time
     */
    @Override
    public String toString() {
        return task() + (asynchronous ? ", asynchronous" : "") + ", due at " + when + " ms";
    }
}
