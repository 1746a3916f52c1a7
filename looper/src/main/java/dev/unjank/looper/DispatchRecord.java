package dev.unjank.looper;

import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;

/** The record of one delivery for a watchdog. It does not refer to the message or its payload. */
final class DispatchRecord {
    private static final long UNDER_WAY = Long.MIN_VALUE;

    /** The delivery whose nested loop runs this delivery, or null. */
    final @Nullable DispatchRecord outer;

    final long start;

    private final Handler target;
    private final @Nullable Class<?> callback;
    private final int what;
    private final @Nullable Object sender;
    private volatile long end = UNDER_WAY;

    DispatchRecord(
            @Nullable DispatchRecord outer, long start, Handler target, Message message, @Nullable Object sender) {
        this.outer = outer;
        this.start = start;
        this.target = target;
        this.callback = QueuedTask.classOf(message.callback);
        this.what = message.what;
        this.sender = sender;
    }

    /** Marks the delivery as ended. Called only by the looper. */
    void end(long now) {
        end = now;
    }

    boolean isOver() {
        return end != UNDER_WAY;
    }

    /** Returns the duration of the delivery, until now if it has not ended. */
    long length(long now) {
        long ended = end;
        return (ended == UNDER_WAY ? now : ended) - start;
    }

    @Override
    public String toString() {
        return target + ", " + MessageDescription.work(callback, what) + MessageDescription.sender(sender);
    }
}
