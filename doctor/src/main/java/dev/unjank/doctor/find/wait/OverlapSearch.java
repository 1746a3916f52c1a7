package dev.unjank.doctor.find.wait;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Where to begin looking through intervals in order of their beginnings for those that an interval overlaps. They may lie across or
 * within one another, so their ends need not ascend; the latest end of an interval and all before it does.
 */
public final class OverlapSearch {
    private final long[] latest;

    private OverlapSearch(long[] latest) {
        this.latest = latest;
    }

    public static <T> OverlapSearch of(List<T> intervals, ToLongFunction<T> end) {
        long[] latest = new long[intervals.size()];
        long sofar = Long.MIN_VALUE;
        for (int i = 0; i < latest.length; i++) {
            sofar = Math.max(sofar, end.applyAsLong(intervals.get(i)));
            latest[i] = sofar;
        }
        return new OverlapSearch(latest);
    }

    /** {@return the index of the first interval that ends after a moment, their number if none does} */
    public int firstAfter(long ts) {
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
