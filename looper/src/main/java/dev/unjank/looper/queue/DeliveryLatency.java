package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;

/**
 * The latency of a delivery: the time from its due time, or from its sending if that came later, to its begin. A
 * requested delay does not count, and neither does a due time that was past when the message was sent.
 */
public final class DeliveryLatency {
    private DeliveryLatency() {}

    /** The note of a message that is being sent: the current time, if the delivery needs it; otherwise null. */
    public static @Nullable Object note(Clock clock, Node message) {
        long now = clock.nanos();
        return isDue(now, message) ? now : null;
    }

    /** True if a message is due when it is sent: its latency then counts from the sending. */
    public static boolean isDue(long now, Node message) {
        return now >= dueNanos(message);
    }

    /**
     * The latency in nanoseconds, or -1 if it is unknown: the message is for the front of the queue and was sent before
     * anything noted the time.
     */
    public static long at(long now, Node message, @Nullable Object note) {
        if (note != null) {
            return now - (long) note;
        }
        return when(message) == 0 ? -1 : waitAt(now, message);
    }

    /** For how long a message has been due; 0 if it is not. */
    public static long waitAt(long now, Node message) {
        long due = dueNanos(message);
        return due >= now ? 0 : due < 0 && now > Long.MAX_VALUE + due ? Long.MAX_VALUE : now - due;
    }
}
