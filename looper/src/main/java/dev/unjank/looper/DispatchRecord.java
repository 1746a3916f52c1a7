package dev.unjank.looper;

import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;

/** One delivery, as recorded for a watchdog. It has no reference to the message or its payload. */
final class DispatchRecord {
    private static final long UNDER_WAY = Long.MIN_VALUE;

    /** The delivery that runs the loop inside which this one happens, or null. */
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

    /** Marks the delivery as ended. Looper only. */
    void end(long now) {
        end = now;
    }

    boolean isOver() {
        return end != UNDER_WAY;
    }

    /** The duration of the delivery, until now if it has not ended. */
    long length(long now) {
        long ended = end;
        return (ended == UNDER_WAY ? now : ended) - start;
    }

    @Override
    public String toString() {
        return target + ", " + MessageDescription.work(callback, what) + MessageDescription.sender(sender);
    }
}
