package dev.unjank.trace.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What slices and marks say of the message of a message queue that they are about: one row for each that says something, in the
 * order of {@link Slices}. In Perfetto's format it is the extension AndroidMessageQueue of a track event.
 */
public final class MessageQueueEvents {
    private final Strings strings;
    private final int[] slices;
    private final int[] senders;
    private final int[] receivers;
    private final int[] codes;
    private final long[] delays;

    public MessageQueueEvents(
            Strings strings, int[] slices, int[] senders, int[] receivers, int[] codes, long[] delays) {
        this.strings = strings;
        this.slices = slices;
        this.senders = senders;
        this.receivers = receivers;
        this.codes = codes;
        this.delays = delays;
    }

    /**
     * How many slices are about a message.
     *
     * @return the count
     */
    public int size() {
        return slices.length;
    }

    /**
     * What a slice says of a message.
     *
     * @param slice a row of {@link Slices}
     * @return the row, -1 if it says nothing
     */
    public int find(int slice) {
        return Math.max(-1, Arrays.binarySearch(slices, slice));
    }

    /**
     * The slice that tells of the message.
     *
     * @param row a row
     * @return a row of {@link Slices}
     */
    public int slice(int row) {
        return slices[row];
    }

    /**
     * The thread that sends the message.
     *
     * @param row a row
     * @return its name, null if unknown
     */
    public @Nullable String sender(int row) {
        return strings.getOrNull(senders[row]);
    }

    /**
     * The thread whose queue the message is for.
     *
     * @param row a row
     * @return its name, null if unknown
     */
    public @Nullable String receiver(int row) {
        return strings.getOrNull(receivers[row]);
    }

    /**
     * What the message's user calls it by: Android's {@code what}.
     *
     * @param row a row
     * @return the code, 0 if unknown
     */
    public int code(int row) {
        return codes[row];
    }

    /**
     * How long the message is meant to wait.
     *
     * @param row a row
     * @return milliseconds, -1 if unknown
     */
    public long delayMs(int row) {
        return delays[row];
    }
}
