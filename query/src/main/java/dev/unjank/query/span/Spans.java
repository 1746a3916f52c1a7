package dev.unjank.query.span;

import org.jspecify.annotations.Nullable;

/**
 * Spans of time as columns, in order of partition and time; where both are equal, in the order in which they were given. The place
 * in which a span was given is its row, and the join's answer.
 */
public final class Spans {
    private final int size;
    private long[] ts;
    private long[] dur;
    private long[] partition;

    /** The row of each span; null while they are in the order in which they were given. */
    private int @Nullable [] row;

    /**
     * Takes spans.
     *
     * @param ts when each begins; never changed, and not to be changed by others
     * @param dur how long each lasts; -1 if that is not known
     * @param partition the partition of each; any number if there are none
     * @param size how many there are; what the arrays hold behind does not matter
     */
    public Spans(long[] ts, long[] dur, long[] partition, int size) {
        this.ts = ts;
        this.dur = dur;
        this.partition = partition;
        this.size = size;
    }

    /**
     * How many spans there are.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    private boolean before(int a, int b) {
        return partition[a] != partition[b] ? partition[a] < partition[b] : ts[a] < ts[b];
    }

    /** Brings the spans into their order; most inputs are in it already. */
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
        return row == null ? i : row[i];
    }
}
