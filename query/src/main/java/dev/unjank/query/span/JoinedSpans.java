package dev.unjank.query.span;

import java.util.Arrays;

/** What a join of spans gives, as columns in order of partition and time. */
public final class JoinedSpans {
    /** The row of a side that has no span there. */
    public static final int NO_ROW = -1;

    private static final int LEAST = 1_024;

    private long[] ts;
    private long[] dur;
    private long[] partition;
    private int[] leftRow;
    private int[] rightRow;
    private int size;

    /** With room for so many spans, and for more if there are more. */
    JoinedSpans(int expected) {
        int capacity = Math.max(LEAST, expected);
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

    /**
     * How many spans there are.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    /**
     * When each span begins.
     *
     * @return the times, not to be changed, with something behind the last
     */
    public long[] ts() {
        return ts;
    }

    /**
     * How long each span lasts.
     *
     * @return the times; -1 if a span is in it whose end is not known
     */
    public long[] dur() {
        return dur;
    }

    /**
     * The partition of each span.
     *
     * @return the numbers; without meaning if no side has partitions
     */
    public long[] partition() {
        return partition;
    }

    /**
     * The left side's row of each span.
     *
     * @return the rows, {@link #NO_ROW} where the left side has no span
     */
    public int[] leftRow() {
        return leftRow;
    }

    /**
     * The right side's row of each span.
     *
     * @return the rows, {@link #NO_ROW} where the right side has no span
     */
    public int[] rightRow() {
        return rightRow;
    }
}
