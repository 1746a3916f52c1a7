package dev.unjank.doctor.find.wait;

import dev.unjank.trace.collections.BinarySearch;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A search in intervals that are sorted by start and may overlap one another. Their ends need not ascend, but the
 * latest end of an interval and all before it does.
 */
public final class OverlapSearch {
    private final long[] latest;

    private OverlapSearch(long[] latest) {
        this.latest = latest;
    }

    public static <T> OverlapSearch of(List<T> intervals, ToLongFunction<T> end) {
        long[] latest = new long[intervals.size()];
        long max = Long.MIN_VALUE;
        for (int i = 0; i < latest.length; i++) {
            max = Math.max(max, end.applyAsLong(intervals.get(i)));
            latest[i] = max;
        }
        return new OverlapSearch(latest);
    }

    /** {@return the index of the first interval that ends after a time, their number if none does} */
    public int firstAfter(long ts) {
        return BinarySearch.first(0, latest.length, i -> latest[i] > ts);
    }
}
