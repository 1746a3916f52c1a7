package dev.unjank.trace;

/** Collects what slices and marks say of messages, before it is known which of them are kept. */
final class QueueEventTable {
    private final IntLog senders = new IntLog();
    private final IntLog receivers = new IntLog();
    private final IntLog codes = new IntLog();
    private final LongLog delays = new LongLog();

    int add(int sender, int receiver, int code, long delayMs) {
        senders.add(sender);
        receivers.add(receiver);
        codes.add(code);
        delays.add(delayMs);
        return codes.size() - 1;
    }

    /** Adds the rows of another table behind these. */
    void append(QueueEventTable other, Renumbering numbers) {
        for (int row = 0; row < other.size(); row++) {
            add(
                    numbers.name(other.senders.get(row)),
                    numbers.name(other.receivers.get(row)),
                    other.codes.get(row),
                    other.delays.get(row));
        }
    }

    int size() {
        return codes.size();
    }

    /** The table in order of slices. Of several notes on one slice the last counts. */
    QueueEvents queueEvents(Strings strings, SliceNotes notes) {
        int[] messages = notes.messages();
        int[] slices = notes.slicesOfMessages();
        long[] keys = new long[slices.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = slices[i];
        }
        int[] order = StableSort.sort(keys);
        IntLog kept = new IntLog();
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
        return new QueueEvents(strings, sliceOf, sender, receiver, code, delay);
    }
}
