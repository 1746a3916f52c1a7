package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.LongList;
import dev.unjank.trace.collections.StableSort;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Strings;

/** Collects the messages of slices and marks before it is known which slices are kept. */
public final class MessageQueueEventCollector {
    private final IntList senders = new IntList();
    private final IntList receivers = new IntList();
    private final IntList codes = new IntList();
    private final LongList delays = new LongList();

    public int add(int sender, int receiver, int code, long delayMs) {
        senders.add(sender);
        receivers.add(receiver);
        codes.add(code);
        delays.add(delayMs);
        return codes.size() - 1;
    }

    /** Appends the rows of another collector. */
    public void append(MessageQueueEventCollector other, IdRemapping numbers) {
        for (int row = 0; row < other.size(); row++) {
            add(
                    numbers.name(other.senders.get(row)),
                    numbers.name(other.receivers.get(row)),
                    other.codes.get(row),
                    other.delays.get(row));
        }
    }

    public int size() {
        return codes.size();
    }

    /** The table in order of slices. The last event of a slice wins. */
    public MessageQueueEvents queueEvents(Strings strings, SliceDetails notes) {
        int[] messages = notes.messages();
        int[] slices = notes.slicesOfMessages();
        long[] keys = new long[slices.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = slices[i];
        }
        int[] order = StableSort.sort(keys);
        IntList kept = new IntList();
        for (int i = 0; i < order.length; i++) {
            if (i + 1 == order.length || keys[i] != keys[i + 1]) {
                kept.add(order[i]);
            }
        }
        int rows = kept.size();
        int[] sliceOf = new int[rows];
        int[] sender = new int[rows];
        int[] receiver = new int[rows];
        int[] code = new int[rows];
        long[] delay = new long[rows];
        for (int row = 0; row < rows; row++) {
            int message = messages[kept.get(row)];
            sliceOf[row] = slices[kept.get(row)];
            sender[row] = senders.get(message);
            receiver[row] = receivers.get(message);
            code[row] = codes.get(message);
            delay[row] = delays.get(message);
        }
        return new MessageQueueEvents(strings, sliceOf, sender, receiver, code, delay);
    }
}
