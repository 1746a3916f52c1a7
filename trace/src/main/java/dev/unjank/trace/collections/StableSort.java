package dev.unjank.trace.collections;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * A stable sort of longs that also returns where each key came from; the JDK offers this for objects only. It is a
 * bottom-up merge sort that starts with the ascending runs of the input: most sources are nearly sorted, and few
 * neighbouring runs overlap. Two threads merge one half each if there are many keys.
 */
public final class StableSort {
    private static final int WORTH_A_THREAD = 1 << 17;

    private long[] keys;
    private int[] order;
    private long[] otherKeys;
    private int[] otherOrder;

    private StableSort(long[] keys) {
        this.keys = keys;
        order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        otherKeys = new long[keys.length];
        otherOrder = new int[keys.length];
    }

    /** Sorts the keys in place and returns the original index of each. */
    public static int[] sort(long[] keys) {
        StableSort sort = new StableSort(keys);
        int[] ends = endsOfRuns(keys);
        int runs = ends.length;
        boolean elsewhere = false;
        while (runs > 1) {
            runs = sort.mergePairs(ends, runs);
            elsewhere = !elsewhere;
        }
        if (elsewhere) {
            System.arraycopy(sort.keys, 0, keys, 0, keys.length);
        }
        return sort.order;
    }

    private static int[] endsOfRuns(long[] keys) {
        int[] ends = new int[16];
        int runs = 0;
        for (int i = 1; i <= keys.length; i++) {
            if (i == keys.length || keys[i] < keys[i - 1]) {
                if (runs == ends.length) {
                    ends = Arrays.copyOf(ends, runs * 2);
                }
                ends[runs++] = i;
            }
        }
        return Arrays.copyOf(ends, runs);
    }

    /** Merges the first run with the second, the third with the fourth and so on; returns the new number of runs. */
    private int mergePairs(int[] ends, int runs) {
        int half = keys.length < WORTH_A_THREAD ? 0 : evenRunAtMiddle(ends, runs);
        if (half > 0) {
            ForkJoinTask<?> others = ForkJoinPool.commonPool().submit(() -> mergePairs(ends, 0, half));
            mergePairs(ends, half, runs);
            others.join();
        } else {
            mergePairs(ends, 0, runs);
        }
        int merged = 0;
        for (int run = 0; run < runs; run += 2) {
            ends[merged++] = ends[Math.min(run + 1, runs - 1)];
        }
        long[] mergedKeys = otherKeys;
        int[] mergedOrder = otherOrder;
        otherKeys = keys;
        otherOrder = order;
        keys = mergedKeys;
        order = mergedOrder;
        return merged;
    }

    /** The number of an even run near the middle of the keys; 0 if there is no such run. */
    private int evenRunAtMiddle(int[] ends, int runs) {
        int run = Arrays.binarySearch(ends, 0, runs, keys.length / 2);
        return (run < 0 ? ~run : run) & ~1;
    }

    /** Merges pairs of runs; {@code firstRun} is even. */
    private void mergePairs(int[] ends, int firstRun, int endRun) {
        int last = ends[endRun - 1];
        int from = firstRun == 0 ? 0 : ends[firstRun - 1];
        for (int run = firstRun; run < endRun; run += 2) {
            int middle = ends[run];
            int to = run + 1 < endRun ? ends[run + 1] : last;
            if (middle == to || keys[middle - 1] <= keys[middle]) {
                copy(from, from, to - from);
            } else {
                merge(from, middle, to);
            }
            from = to;
        }
    }

    private void copy(int from, int to, int length) {
        System.arraycopy(keys, from, otherKeys, to, length);
        System.arraycopy(order, from, otherOrder, to, length);
    }

    /**
     * Merges two overlapping runs. The keys are in local variables because the compiler would reload fields at each
     * access.
     */
    private void merge(int left, int middle, int end) {
        long[] from = keys;
        int[] fromOrder = order;
        long[] to = otherKeys;
        int[] toOrder = otherOrder;
        int l = left;
        int r = middle;
        long leftKey = from[l];
        long rightKey = from[r];
        for (int out = left; ; out++) {
            if (leftKey <= rightKey) {
                to[out] = leftKey;
                toOrder[out] = fromOrder[l++];
                if (l == middle) {
                    copy(r, out + 1, end - r);
                    return;
                }
                leftKey = from[l];
            } else {
                to[out] = rightKey;
                toOrder[out] = fromOrder[r++];
                if (r == end) {
                    copy(l, out + 1, middle - l);
                    return;
                }
                rightKey = from[r];
            }
        }
    }
}
