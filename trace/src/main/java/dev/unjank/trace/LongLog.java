package dev.unjank.trace;

import java.util.Arrays;

/**
 * A growing column of longs in chunks: growth copies nothing, so that loading never holds a column twice, and a chunk is
 * dropped as soon as its values have been moved to their final place.
 */
final class LongLog {
    private static final int BITS = 14;
    private static final int CHUNK = 1 << BITS;
    private static final int MASK = CHUNK - 1;
    private static final long[] DROPPED = {};

    private long[][] chunks = new long[8][];
    private int size;

    int size() {
        return size;
    }

    void add(long value) {
        int row = size;
        if ((row & MASK) == 0) {
            addChunk(row >>> BITS);
        }
        chunks[row >>> BITS][row & MASK] = value;
        size = row + 1;
    }

    long get(int row) {
        return chunks[row >>> BITS][row & MASK];
    }

    void set(int row, long value) {
        chunks[row >>> BITS][row & MASK] = value;
    }

    /** Moves the value of each row to where {@code target} says, emptying this column on the way. */
    LongColumn moveTo(int[] target) {
        long[] moved = new long[size];
        for (int from = 0; from < size; from += CHUNK) {
            long[] chunk = chunks[from >>> BITS];
            chunks[from >>> BITS] = DROPPED;
            int rows = Math.min(CHUNK, size - from);
            for (int i = 0; i < rows; i++) {
                moved[target[from + i]] = chunk[i];
            }
        }
        size = 0;
        return LongColumn.of(moved);
    }

    long[] toArray() {
        long[] values = new long[size];
        for (int row = 0; row < size; row++) {
            values[row] = get(row);
        }
        return values;
    }

    private void addChunk(int chunk) {
        if (chunk == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunk * 2);
        }
        chunks[chunk] = new long[CHUNK];
    }
}
