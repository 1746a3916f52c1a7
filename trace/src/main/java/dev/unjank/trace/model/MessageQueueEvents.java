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

    /** {@return the number of slices with a message} */
    public int size() {
        return slices.length;
    }

    /**
     * {@return the row of a slice's message, -1 if it has none}
     *
     * @param slice a row of {@link Slices}
     */
    public int find(int slice) {
        return Math.max(-1, Arrays.binarySearch(slices, slice));
    }

    /**
     * {@return the slice of a message, a row of {@link Slices}}
     *
     * @param row a row
     */
    public int slice(int row) {
        return slices[row];
    }

    /**
     * {@return the name of the sending thread, null if unknown}
     *
     * @param row a row
     */
    public @Nullable String sender(int row) {
        return strings.getOrNull(senders[row]);
    }

    /**
     * {@return the name of the receiving thread, null if unknown}
     *
     * @param row a row
     */
    public @Nullable String receiver(int row) {
        return strings.getOrNull(receivers[row]);
    }

    /**
     * {@return the message's code, Android's {@code what}; 0 if unknown}
     *
     * @param row a row
     */
    public int code(int row) {
        return codes[row];
    }

    /**
     * {@return the message's delay in ms, -1 if unknown}
     *
     * @param row a row
     */
    public long delayMs(int row) {
        return delays[row];
    }
}
