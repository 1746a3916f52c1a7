package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;

/**
 * How late a delivery begins: counted from when the message was due, or from its sending if that came later, so that
 * neither a delay that was asked for counts nor a time that had passed already when the message was sent.
 */
final class DeliveryLatency {
    private DeliveryLatency() {}

    /** The note of a message that is being sent: the time, if it has to be known at the delivery. */
    static @Nullable Object note(Clock clock, Message message) {
        long now = clock.nanos();
        return isDue(now, message) ? now : null;
    }

    /** Whether the time at which a message is sent has to be known at the delivery. */
    static boolean isDue(long now, Message message) {
        return now >= message.dueNanos();
    }

    /**
     * Nanoseconds between when a message could have begun and now, or -1 if nobody knows: it is one for the front of the
     * queue, sent before anybody noted the time.
     */
    static long at(long now, Message message, @Nullable Object note) {
        if (note != null) {
            return now - (long) note;
        }
        return message.when == 0 ? -1 : MessageQueue.waitAt(now, message);
    }
}
