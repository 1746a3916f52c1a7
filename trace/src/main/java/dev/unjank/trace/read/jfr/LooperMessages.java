package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;

/**
 * Collects the messages that loopers dispatched: a slice for each dispatch and, if the sender was recorded, a mark
 * for the sending, with a flow from the mark to the slice. Both have the message's details, as in Android's traces.
 */
final class LooperMessages {
    /** Android's name of a sending. */
    private static final String SENDING = "message_queue_send";

    private static final int NANOS_PER_MILLI = 1_000_000;

    // Columns of a message.
    private static final int THREAD = 0;
    private static final int START = 1;
    private static final int END = 2;
    private static final int NAME = 3;
    private static final int CODE = 4;
    private static final int SENDER = 5;
    private static final int SENT = 6;
    private static final int WAIT = 7;

    private final LongRows messages = new LongRows(8);
    private final TraceBuilder builder;

    LooperMessages(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Adds a dispatch. */
    void add(int thread, long startNs, long endNs, int name, int code, int sender, long sentNs, long waitNs) {
        messages.add(thread, startNs, endNs, name, code, sender, sentNs, waitNs);
    }

    /** Adds the slices and marks; their details follow by {@link #note}. */
    void emitTo(SliceBuffer slices) {
        int category = builder.intern("mq");
        int sending = builder.intern(SENDING);
        for (int row = 0; row < messages.size(); row++) {
            int thread = (int) messages.get(row, THREAD);
            int name = (int) messages.get(row, NAME);
            slices.add(thread, messages.get(row, START), messages.get(row, END), name, category, delivery(row));
            if (isSenderKnown(row)) {
                long sent = messages.get(row, SENT);
                slices.add((int) messages.get(row, SENDER), sent, sent, sending, category, delivery(row) | 1);
            }
        }
    }

    private boolean isSenderKnown(int row) {
        return messages.get(row, SENDER) != JfrThreads.NONE;
    }

    /** A note is twice the row, plus one for its sending. */
    private static long delivery(int row) {
        return (long) row << 1;
    }

    /** Adds the details of the message to the last slice or mark. */
    void note(long ts, int track, long note, JfrThreads threads, int pid) {
        int row = (int) (note >> 1);
        boolean isDelivery = note == delivery(row);
        int receiver = builder.intern(threads.name((int) messages.get(row, THREAD)));
        int code = (int) messages.get(row, CODE);
        if (!isSenderKnown(row)) {
            builder.tracks().trackMessage(ts, track, -1, receiver, code, -1);
            return;
        }
        long waited = messages.get(row, START) - messages.get(row, SENT);
        long delayMs = Math.max(0, waited - messages.get(row, WAIT)) / NANOS_PER_MILLI;
        int sender = builder.intern(threads.name((int) messages.get(row, SENDER)));
        builder.tracks().trackMessage(ts, track, sender, receiver, code, delayMs);
        builder.tracks().trackFlow(ts, track, (long) pid << Integer.SIZE | row, isDelivery);
    }
}
