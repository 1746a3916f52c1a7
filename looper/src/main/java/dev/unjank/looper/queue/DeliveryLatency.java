package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;

/**
 * Computes the latency of a delivery: the time from the due time of the message, or from its sending if that is later,
 * to the start of its delivery. A requested delay does not count.
 */
public final class DeliveryLatency {
    private DeliveryLatency() {}

    /**
     * Returns the note of a message that is being sent: the current time if the latency depends on it, otherwise null.
     */
    public static @Nullable Object note(Clock clock, Node message) {
        long now = clock.nanos();
        return isDue(now, message) ? now : null;
    }

    /** Returns true if a message is already due when it is sent; its latency is then measured from the sending. */
    public static boolean isDue(long now, Node message) {
        return now >= dueNanos(message);
    }

    /**
     * Returns the latency in nanoseconds, or -1 if it is unknown: the message was sent to the front of the queue before
     * notes were taken.
     */
    public static long at(long now, Node message, @Nullable Object note) {
        if (note != null) {
            return now - (long) note;
        }
        return when(message) == 0 ? -1 : waitAt(now, message);
    }

    /** Returns the time for which a message has been due; 0 if it is not due. */
    public static long waitAt(long now, Node message) {
        long due = dueNanos(message);
        return due >= now ? 0 : due < 0 && now > Long.MAX_VALUE + due ? Long.MAX_VALUE : now - due;
    }
}
