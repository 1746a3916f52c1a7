package dev.unjank.query.span;

import java.util.Arrays;

/** What a join of spans gives, as columns in order of partition and time. */
public final class JoinedSpans {
    /** The row of a side that has no span there. */
    public static final int NO_ROW = -1;

    private long[] ts = new long[1024];
    private long[] dur = new long[1024];
    private long[] partition = new long[1024];
    private int[] leftRow = new int[1024];
    private int[] rightRow = new int[1024];
    private int size;

    JoinedSpans() {}

    void add(long start, long duration, long part, int left, int right) {
        int i = size;
        if (i == ts.length) {
            grow();
        }
        ts[i] = start;
        dur[i] = duration;
        partition[i] = part;
        leftRow[i] = left;
        rightRow[i] = right;
        size = i + 1;
    }

    private void grow() {
        int capacity = Math.multiplyExact(size, 2);
        ts = Arrays.copyOf(ts, capacity);
        dur = Arrays.copyOf(dur, capacity);
        partition = Arrays.copyOf(partition, capacity);
        leftRow = Arrays.copyOf(leftRow, capacity);
        rightRow = Arrays.copyOf(rightRow, capacity);
    }

    /**
     * How many spans there are.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    /**
     * When a span begins.
     *
     * @param i a number below the size
     * @return the time
     */
    public long ts(int i) {
        return ts[i];
    }

    /**
     * How long a span lasts.
     *
     * @param i a number below the size
     * @return the time; -1 if a span is in it whose end is not known
     */
    public long dur(int i) {
        return dur[i];
    }

    /**
     * The partition of a span.
     *
     * @param i a number below the size
     * @return its number; without meaning if no side has partitions
     */
    public long partition(int i) {
        return partition[i];
    }

    /**
     * The left side's row of a span.
     *
     * @param i a number below the size
     * @return as it was added, {@link #NO_ROW} if the left side has no span here
     */
    public int leftRow(int i) {
        return leftRow[i];
    }

    /**
     * The right side's row of a span.
     *
     * @param i a number below the size
     * @return as it was added, {@link #NO_ROW} if the right side has no span here
     */
    public int rightRow(int i) {
        return rightRow[i];
    }
}
