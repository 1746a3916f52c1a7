package dev.unjank.trace;

/**
 * Walks sorted logs as one, in order of time. The logs lie in queues: one for what belongs to no CPU and one for each CPU,
 * whose {@value #SERIES} series are merged first. At equal times a queue that has the turn keeps it, otherwise the first
 * queue goes first, and within a queue the first series; Perfetto's trace processor has the same rule, which decides what a
 * thread did when clocks are coarse. Chunks are dropped from their logs as they have been read.
 *
 * <p>Events come in bursts from one CPU, so that looking over all queues, which are few, is rare.
 */
final class EventMerge {
    /** How many logs a CPU has. The first log of all has a queue of its own. */
    static final int SERIES = 3;

    private final EventLog[] logs;

    // Per log: its chunk, where the next event is in it and its time; no chunk once it is empty.
    private final long[][] chunks;
    private final int[] chunkIndexes;
    private final int[] offsets;
    private final long[] times;
    private final boolean[] exhausted;

    // The queues that have events left, in order: their number, their next event's log and time.
    private final int[] queues;
    private final int[] nextLogs;
    private final long[] nextTimes;
    private int queueCount;

    /** Which of the queues has the turn, and until when it keeps it. */
    private int turn = -1;

    private long turnEnds;

    /** The chunk and place of the current event, for the caller to read. */
    long[] words = {};

    int at;

    /** The log of the current event. */
    int log;

    EventMerge(EventLog[] logs) {
        this.logs = logs;
        int count = logs.length;
        chunks = new long[count][];
        chunkIndexes = new int[count];
        offsets = new int[count];
        times = new long[count];
        exhausted = new boolean[count];
        int queuesAtMost = 1 + (count - 1 + SERIES - 1) / SERIES;
        queues = new int[queuesAtMost];
        nextLogs = new int[queuesAtMost];
        nextTimes = new long[queuesAtMost];
        for (int i = 0; i < count; i++) {
            chunkIndexes[i] = -1;
            nextChunk(i);
        }
        for (int queue = 0; queue < queuesAtMost; queue++) {
            queues[queueCount] = queue;
            if (findNext(queueCount)) {
                queueCount++;
            }
        }
    }

    /** The CPU of the current event, which must not be of the first log. */
    int cpu() {
        return (log - 1) / SERIES;
    }

    /** Moves to the next event; false at the end. */
    boolean next() {
        if (turn >= 0) {
            advance();
            if (!findNext(turn)) {
                removeTurn();
            } else if (nextTimes[turn] <= turnEnds) {
                return take();
            }
        }
        if (queueCount == 0) {
            return false;
        }
        int first = 0;
        long second = Long.MAX_VALUE;
        for (int i = 1; i < queueCount; i++) {
            if (nextTimes[i] < nextTimes[first]) {
                second = nextTimes[first];
                first = i;
            } else if (nextTimes[i] < second) {
                second = nextTimes[i];
            }
        }
        turn = first;
        turnEnds = second;
        return take();
    }

    private boolean take() {
        log = nextLogs[turn];
        words = chunks[log];
        at = offsets[log];
        return true;
    }

    private void removeTurn() {
        queueCount--;
        System.arraycopy(queues, turn + 1, queues, turn, queueCount - turn);
        System.arraycopy(nextLogs, turn + 1, nextLogs, turn, queueCount - turn);
        System.arraycopy(nextTimes, turn + 1, nextTimes, turn, queueCount - turn);
        turn = -1;
    }

    /** Finds which of a queue's logs is next; false if none has events left. */
    private boolean findNext(int index) {
        int queue = queues[index];
        int from = queue == 0 ? 0 : 1 + (queue - 1) * SERIES;
        int to = queue == 0 ? 1 : Math.min(from + SERIES, logs.length);
        int next = -1;
        for (int i = from; i < to; i++) {
            if (!exhausted[i] && (next < 0 || times[i] < times[next])) {
                next = i;
            }
        }
        if (next < 0) {
            return false;
        }
        nextLogs[index] = next;
        nextTimes[index] = times[next];
        return true;
    }

    private void advance() {
        int offset = at + EventKind.words(words[at]);
        if (offset < words.length && words[offset] != 0) {
            offsets[log] = offset;
            times[log] = words[offset + 1];
        } else {
            nextChunk(log);
        }
    }

    private void nextChunk(int number) {
        int index = chunkIndexes[number];
        if (index >= 0) {
            logs[number].drop(index);
        }
        index++;
        if (index == logs[number].chunkCount()) {
            exhausted[number] = true;
            return;
        }
        chunkIndexes[number] = index;
        chunks[number] = logs[number].chunk(index);
        offsets[number] = 0;
        times[number] = chunks[number][1];
    }
}
