package dev.unjank.trace;

/** Sorting of row numbers by time, which the library offers for objects only. */
final class StableSort {
    private StableSort() {}

    /**
     * The rows in order of time, equal times in order of row. A merge sort that begins with the ascending runs which are
     * there: sources are mostly in order, and then one pass does it.
     */
    static int[] order(long[] times) {
        int rows = times.length;
        int[] order = new int[rows];
        for (int row = 0; row < rows; row++) {
            order[row] = row;
        }
        int[] spare = new int[rows];
        int runs;
        do {
            runs = 0;
            for (int from = 0; from < rows; runs++) {
                int middle = endOfRun(times, order, from);
                int to = middle < rows ? endOfRun(times, order, middle) : middle;
                merge(times, order, spare, from, middle, to);
                from = to;
            }
            int[] merged = spare;
            spare = order;
            order = merged;
        } while (runs > 1);
        return order;
    }

    private static int endOfRun(long[] times, int[] order, int from) {
        int to = from + 1;
        while (to < order.length && times[order[to - 1]] <= times[order[to]]) {
            to++;
        }
        return to;
    }

    private static void merge(long[] times, int[] from, int[] to, int left, int middle, int end) {
        int right = middle;
        int l = left;
        for (int out = left; out < end; out++) {
            boolean takeLeft = l < middle && (right == end || times[from[l]] <= times[from[right]]);
            to[out] = takeLeft ? from[l++] : from[right++];
        }
    }
}
