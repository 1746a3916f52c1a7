package dev.unjank.query.span;

import java.util.Arrays;

/** Spans of time as columns, in order of partition and time; where both are equal, in the order in which they were added. */
public final class Spans {
    private long[] ts;
    private long[] dur;
    private long[] partition;
    private int[] row;
    private int size;
    private boolean sorted = true;

    /**
     * No spans yet.
     *
     * @param expected how many there may be; more is no mistake
     */
    public Spans(int expected) {
        int capacity = Math.max(16, expected);
        ts = new long[capacity];
        dur = new long[capacity];
        partition = new long[capacity];
        row = new int[capacity];
    }

    /**
     * Adds a span.
     *
     * @param ts when it begins
     * @param dur how long it lasts; -1 if that is not known
     * @param partition its partition; any number if there are none
     * @param row what the join gives for this span
     */
    public void add(long ts, long dur, long partition, int row) {
        int i = size;
        if (i == this.ts.length) {
            grow();
        }
        this.ts[i] = ts;
        this.dur[i] = dur;
        this.partition[i] = partition;
        this.row[i] = row;
        if (i > 0 && before(i, i - 1)) {
            sorted = false;
        }
        size = i + 1;
    }

    /**
     * How many spans there are.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    private void grow() {
        int capacity = Math.multiplyExact(size, 2);
        ts = Arrays.copyOf(ts, capacity);
        dur = Arrays.copyOf(dur, capacity);
        partition = Arrays.copyOf(partition, capacity);
        row = Arrays.copyOf(row, capacity);
    }

    private boolean before(int a, int b) {
        return partition[a] != partition[b] ? partition[a] < partition[b] : ts[a] < ts[b];
    }

    /** Brings the spans into their order; most inputs are in it already. */
    void sort() {
        if (sorted) {
            return;
        }
        int[] order = byPartition();
        mergeSort(order, new int[size], 0, size);
        ts = picked(ts, order);
        dur = picked(dur, order);
        partition = picked(partition, order);
        int[] rows = new int[size];
        for (int i = 0; i < size; i++) {
            rows[i] = row[order[i]];
        }
        row = rows;
        sorted = true;
    }

    /**
     * The spans partition by partition, each in the order in which they were added: for most inputs, which are in order of
     * time, that is the order wanted. Only where the partitions are small numbers, as ids are, and else as added.
     */
    private int[] byPartition() {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < size; i++) {
            least = Math.min(least, partition[i]);
            most = Math.max(most, partition[i]);
        }
        int[] order = new int[size];
        // the difference may overflow, and is then negative
        if (most - least < 0 || most - least >= Math.max(1 << 16, size)) {
            for (int i = 0; i < size; i++) {
                order[i] = i;
            }
            return order;
        }
        int[] next = new int[(int) (most - least) + 2];
        for (int i = 0; i < size; i++) {
            next[(int) (partition[i] - least) + 1]++;
        }
        for (int p = 1; p < next.length; p++) {
            next[p] += next[p - 1];
        }
        for (int i = 0; i < size; i++) {
            order[next[(int) (partition[i] - least)]++] = i;
        }
        return order;
    }

    /** Stable, and linear where the runs are in order already. */
    private void mergeSort(int[] order, int[] space, int from, int to) {
        if (isInOrder(order, from, to)) {
            return;
        }
        int middle = (from + to) >>> 1;
        mergeSort(order, space, from, middle);
        mergeSort(order, space, middle, to);
        System.arraycopy(order, from, space, from, middle - from);
        int left = from;
        int right = middle;
        for (int i = from; left < middle; i++) {
            boolean takeRight = right < to && before(order[right], space[left]);
            order[i] = takeRight ? order[right++] : space[left++];
        }
    }

    /** Ends at the first that is not, so that of a run without order hardly any is read twice. */
    private boolean isInOrder(int[] order, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (before(order[i], order[i - 1])) {
                return false;
            }
        }
        return true;
    }

    private long[] picked(long[] values, int[] order) {
        long[] picked = new long[size];
        for (int i = 0; i < size; i++) {
            picked[i] = values[order[i]];
        }
        return picked;
    }

    long ts(int i) {
        return ts[i];
    }

    long dur(int i) {
        return dur[i];
    }

    long partition(int i) {
        return partition[i];
    }

    int row(int i) {
        return row[i];
    }
}
