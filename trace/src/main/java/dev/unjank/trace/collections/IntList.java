package dev.unjank.trace.collections;

import java.util.Arrays;

/**
 * A growing column of ints in chunks: growth copies nothing.
 */
public final class IntList {
    private static final int BITS = 14;
    private static final int CHUNK = 1 << BITS;
    private static final int MASK = CHUNK - 1;

    private int[][] chunks = new int[8][];
    private int size;

    public int size() {
        return size;
    }

    public void add(int value) {
        int row = size;
        if ((row & MASK) == 0) {
            addChunk(row >>> BITS);
        }
        chunks[row >>> BITS][row & MASK] = value;
        size = row + 1;
    }

    public int get(int row) {
        return chunks[row >>> BITS][row & MASK];
    }

    public void set(int row, int value) {
        chunks[row >>> BITS][row & MASK] = value;
    }

    public int[] toArray() {
        int[] values = new int[size];
        for (int row = 0; row < size; row++) {
            values[row] = get(row);
        }
        return values;
    }

    private void addChunk(int chunk) {
        if (chunk == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunk * 2);
        }
        chunks[chunk] = new int[CHUNK];
    }
}
