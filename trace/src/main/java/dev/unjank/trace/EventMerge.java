package dev.unjank.trace;

/**
 * Walks several sorted logs as one, in order of time; at equal times the log with the smaller number goes first. A binary
 * heap of cursors, of which only the top moves: events of one source come in bursts, so mostly the top stays where it is.
 * Chunks are dropped from their logs as they have been read.
 */
final class EventMerge {
    private final EventLog[] logs;
    private final long[][] chunks;
    private final int[] chunkIndexes;
    private final int[] offsets;
    private final long[] times;

    /** Numbers of the logs that have events left, the one with the earliest first. */
    private final int[] heap;

    private int heapSize;

    /** The chunk and place of the current event, for the caller to read. */
    long[] words = {};

    int at;

    /** The log of the current event. */
    int log = -1;

    EventMerge(EventLog[] logs) {
        int count = logs.length;
        this.logs = logs;
        chunks = new long[count][];
        chunkIndexes = new int[count];
        offsets = new int[count];
        times = new long[count];
        heap = new int[count];
        for (int i = 0; i < count; i++) {
            chunkIndexes[i] = -1;
            if (logs[i].size() > 0) {
                nextChunk(i);
                heap[heapSize++] = i;
            }
        }
        for (int i = heapSize / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    /** Moves to the next event; false at the end. */
    boolean next() {
        if (log >= 0) {
            advance();
        }
        if (heapSize == 0) {
            return false;
        }
        log = heap[0];
        words = chunks[log];
        at = offsets[log];
        return true;
    }

    private void advance() {
        int offset = at + EventKind.words(words[at]);
        if (offset < words.length && words[offset] != 0) {
            offsets[log] = offset;
            times[log] = words[offset + 1];
        } else if (!nextChunk(log)) {
            heap[0] = heap[--heapSize];
        }
        siftDown(0);
    }

    private boolean nextChunk(int number) {
        int index = chunkIndexes[number];
        if (index >= 0) {
            logs[number].drop(index);
        }
        index++;
        if (index == logs[number].chunkCount()) {
            return false;
        }
        chunkIndexes[number] = index;
        chunks[number] = logs[number].chunk(index);
        offsets[number] = 0;
        times[number] = chunks[number][1];
        return true;
    }

    private void siftDown(int from) {
        int moving = heap[from];
        int hole = from;
        while (true) {
            int child = 2 * hole + 1;
            if (child >= heapSize) {
                break;
            }
            if (child + 1 < heapSize && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], moving)) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
        }
        heap[hole] = moving;
    }

    private boolean before(int a, int b) {
        return times[a] < times[b] || (times[a] == times[b] && a < b);
    }
}
