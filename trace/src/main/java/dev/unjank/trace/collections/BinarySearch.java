package dev.unjank.trace.collections;

import java.util.function.IntPredicate;

/** Binary search by a condition, for rows that are sorted and for any other monotonic order. */
public final class BinarySearch {
    private BinarySearch() {}

    /** {@return the first index in {@code [from, to)} for which a condition holds, {@code to} if there is none} */
    public static int first(int from, int to, IntPredicate condition) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (condition.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
