package dev.unjank.trace.collections;

import java.util.Arrays;
import java.util.function.IntBinaryOperator;

/** A growing table of rows of a few numbers each. */
public final class LongRows {
    private final int width;
    private long[] values;
    private int size;

    public LongRows(int width) {
        this.width = width;
        values = new long[width * 64];
    }

    public int size() {
        return size;
    }

    public int add(long... row) {
        if ((size + 1) * width > values.length) {
            values = Arrays.copyOf(values, values.length + values.length / 2 / width * width + width);
        }
        System.arraycopy(row, 0, values, size * width, width);
        return size++;
    }

    public long get(int row, int column) {
        return values[row * width + column];
    }

    /** The row numbers in sorted order; equal rows keep the order in which they were added. */
    public int[] sorted(IntBinaryOperator comparison) {
        int[] from = new int[size];
        for (int row = 0; row < size; row++) {
            from[row] = row;
        }
        int[] to = new int[size];
        for (int run = 1; run < size; run *= 2) {
            for (int low = 0; low < size; low += 2 * run) {
                merge(from, to, low, Math.min(low + run, size), Math.min(low + 2 * run, size), comparison);
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    private static void merge(int[] from, int[] to, int low, int middle, int high, IntBinaryOperator comparison) {
        if (middle == high || comparison.applyAsInt(from[middle - 1], from[middle]) <= 0) {
            System.arraycopy(from, low, to, low, high - low); // already in order, as in most recordings
            return;
        }
        int left = low;
        int right = middle;
        for (int at = low; at < high; at++) {
            if (right == high || (left < middle && comparison.applyAsInt(from[left], from[right]) <= 0)) {
                to[at] = from[left++];
            } else {
                to[at] = from[right++];
            }
        }
    }
}
