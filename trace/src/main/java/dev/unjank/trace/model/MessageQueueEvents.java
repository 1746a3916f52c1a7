package dev.unjank.trace.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The messages of message queues that slices and marks belong to: one row per slice, in the order of {@link Slices}.
 * In Perfetto's format it is the extension AndroidMessageQueue of a track event.
 */
public final class MessageQueueEvents {
    private final Strings strings;
    private final int[] slices;
    private final int[] senders;
    private final int[] receivers;
    private final int[] codes;
    private final long[] delays;

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param strings the strings of the trace
     * @param slices rows of {@link Slices}, ascending
     * @param senders the ids of the names of the sending threads, -1 if unknown
     * @param receivers the ids of the names of the receiving threads, -1 if unknown
     * @param codes the codes of the messages
     * @param delays their delays in ms, -1 if unknown
     */
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
     * The number of slices with a message.
     *
     * @return the count
     */
    public int size() {
        return slices.length;
    }

    /**
     * The message of a slice.
     *
     * @param slice a row of {@link Slices}
     * @return the row, -1 if it has none
     */
    public int find(int slice) {
        return Math.max(-1, Arrays.binarySearch(slices, slice));
    }

    /**
     * The slice of a message.
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
     * The receiving thread.
     *
     * @param row a row
     * @return its name, null if unknown
     */
    public @Nullable String receiver(int row) {
        return strings.getOrNull(receivers[row]);
    }

    /**
     * The message's code: Android's {@code what}.
     *
     * @param row a row
     * @return the code, 0 if unknown
     */
    public int code(int row) {
        return codes[row];
    }

    /**
     * The message's delay.
     *
     * @param row a row
     * @return milliseconds, -1 if unknown
     */
    public long delayMs(int row) {
        return delays[row];
    }
}
