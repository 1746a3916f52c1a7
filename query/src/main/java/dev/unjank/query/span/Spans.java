package dev.unjank.query.span;

import org.jspecify.annotations.Nullable;

/** Time spans as columns, stably sorted by partition and time. The index of a span before sorting is its row. */
public final class Spans {
    private final int size;
    private long[] ts;
    private long[] dur;
    private long[] partition;

    /** The row of each span; null if the spans are in their original order. */
    private int @Nullable [] row;

    /**
     * Wraps arrays, which must not be changed any more.
     *
     * @param ts start of each span
     * @param dur duration of each span; -1 if unknown
     * @param partition partition of each span; any value if not partitioned
     * @param size number of spans; the arrays may be longer
     */
    public Spans(long[] ts, long[] dur, long[] partition, int size) {
        this.ts = ts;
        this.dur = dur;
        this.partition = partition;
        this.size = size;
    }

    /**
     * The number of spans.
     *
     * @return the number
     */
    public int size() {
        return size;
    }

    private boolean before(int a, int b) {
        return partition[a] != partition[b] ? partition[a] < partition[b] : ts[a] < ts[b];
    }

    /** Sorts the spans; max inputs are already sorted. */
    void sort() {
        if (isSorted()) {
            return;
        }
        int[] order = byPartition();
        mergeSort(order, new int[size], 0, size);
        ts = picked(ts, order);
        dur = picked(dur, order);
        partition = picked(partition, order);
        row = order;
    }

    private boolean isSorted() {
        for (int i = 1; i < size; i++) {
            if (before(i, i - 1)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The spans grouped by partition, each group in its original order, which usually is the order of time. Only for
     * small ranges of partition numbers, such as ids; otherwise the original order.
     */
    private int[] byPartition() {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = 0; i < size; i++) {
            min = Math.min(min, partition[i]);
            max = Math.max(max, partition[i]);
        }
        int[] order = new int[size];
        // negative if the difference overflows
        if (max - min < 0 || max - min >= Math.max(1 << 16, size)) {
            for (int i = 0; i < size; i++) {
                order[i] = i;
            }
            return order;
        }
        int[] next = new int[(int) (max - min) + 2];
        for (int i = 0; i < size; i++) {
            next[(int) (partition[i] - min) + 1]++;
        }
        for (int p = 1; p < next.length; p++) {
            next[p] += next[p - 1];
        }
        for (int i = 0; i < size; i++) {
            order[next[(int) (partition[i] - min)]++] = i;
        }
        return order;
    }

    /** Stable merge sort; linear for sorted runs. */
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

    /** Returns at the first inversion, so that unsorted runs cost little. */
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
        return row == null ? i : row[i];
    }
}
