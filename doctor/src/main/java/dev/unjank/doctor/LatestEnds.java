package dev.unjank.doctor;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Where to begin looking through intervals in order of their beginnings for those that an interval overlaps. They may lie across or
 * within one another, so their ends need not ascend; the latest end of an interval and all before it does.
 */
final class LatestEnds {
    private final long[] latest;

    private LatestEnds(long[] latest) {
        this.latest = latest;
    }

    static <T> LatestEnds of(List<T> intervals, ToLongFunction<T> end) {
        long[] latest = new long[intervals.size()];
        long sofar = Long.MIN_VALUE;
        for (int i = 0; i < latest.length; i++) {
            sofar = Math.max(sofar, end.applyAsLong(intervals.get(i)));
            latest[i] = sofar;
        }
        return new LatestEnds(latest);
    }

    /** {@return the index of the first interval that ends after a moment, their number if none does} */
    int firstAfter(long ts) {
        int low = 0;
        int high = latest.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (latest[middle] <= ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
