package dev.unjank.query.span;

import java.util.Arrays;

/** Result of a span join: columns in order of partition and time. */
public final class JoinedSpans {
    /** The row of a side without a span. */
    public static final int NO_ROW = -1;

    private static final int MIN_CAPACITY = 1_024;

    private long[] ts;
    private long[] dur;
    private long[] partition;
    private int[] leftRow;
    private int[] rightRow;
    private int size;

    /** Creates an empty result. */
    JoinedSpans(int expected) {
        int capacity = Math.max(MIN_CAPACITY, expected);
        ts = new long[capacity];
        dur = new long[capacity];
        partition = new long[capacity];
        leftRow = new int[capacity];
        rightRow = new int[capacity];
    }

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

    /** The number of spans. */
    public int size() {
        return size;
    }

    /**
     * Start of each span.
     *
     * @return timestamps, read-only; the array may be longer than {@link #size}
     */
    public long[] ts() {
        return ts;
    }

    /**
     * Duration of each span.
     *
     * @return durations; -1 if a source span has an unknown end
     */
    public long[] dur() {
        return dur;
    }

    /** The partition of each span; undefined if neither side is partitioned. */
    public long[] partition() {
        return partition;
    }

    /** Row of each span in the left side; {@link #NO_ROW} without one. */
    public int[] leftRow() {
        return leftRow;
    }

    /** Row of each span in the right side; {@link #NO_ROW} without one. */
    public int[] rightRow() {
        return rightRow;
    }
}
