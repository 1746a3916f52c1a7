package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;

/**
 * The latency of a delivery: the time from its due time, or from its sending if that came later, to its begin. A
 * requested delay does not count, and neither does a due time that was past when the message was sent.
 */
final class DeliveryLatency {
    private DeliveryLatency() {}

    /** The note of a message that is being sent: the current time, if the delivery needs it; otherwise null. */
    static @Nullable Object note(Clock clock, Message message) {
        long now = clock.nanos();
        return isDue(now, message) ? now : null;
    }

    /** True if a message is due when it is sent: its latency then counts from the sending. */
    static boolean isDue(long now, Message message) {
        return now >= dueNanos(message);
    }

    /**
     * The latency in nanoseconds, or -1 if it is unknown: the message is for the front of the queue and was sent before
     * anything noted the time.
     */
    static long at(long now, Message message, @Nullable Object note) {
        if (note != null) {
            return now - (long) note;
        }
        return when(message) == 0 ? -1 : MessageQueue.waitAt(now, message);
    }
}
