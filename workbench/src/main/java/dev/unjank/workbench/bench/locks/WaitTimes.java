package dev.unjank.workbench.bench.locks;

import java.util.Arrays;

/** The wait times of a thread. One thread adds; they are read when it has ended. */
final class WaitTimes {

    private long[] nanos = new long[1_024];
    private int count;

    void add(long wait) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = wait;
    }

    double mean() {
        return (double) total() / count;
    }

    long total() {
        return Arrays.stream(nanos, 0, count).sum();
    }

    long longest() {
        return Arrays.stream(nanos, 0, count).max().orElse(0);
    }

    long longerThan(long limit) {
        return Arrays.stream(nanos, 0, count).filter(wait -> wait > limit).count();
    }

    /** The wait that so large a share of all does not exceed. */
    long quantile(double share) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[Math.clamp((int) Math.ceil(share * count) - 1, 0, count - 1)];
    }
}
