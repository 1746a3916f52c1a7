package dev.unjank.workbench.lab.program;

import java.util.Arrays;
import java.util.Map;

/** Durations in nanoseconds, all of them kept. For one thread. */
public final class DelaySamples {

    private long[] nanos = new long[1024];
    private int count;

    /** None yet. */
    public DelaySamples() {}

    /**
     * Adds one.
     *
     * @param delay in nanoseconds
     */
    public void add(long delay) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = delay;
    }

    /**
     * Counts those of a length.
     *
     * @param from the least, in nanoseconds
     * @param to the first that is too long
     */
    public int between(long from, long to) {
        int between = 0;
        for (int i = 0; i < count; i++) {
            between += nanos[i] >= from && nanos[i] < to ? 1 : 0;
        }
        return between;
    }

    /**
     * What people ask of them.
     *
     * @return {@code count}, and the percentiles {@code p50}, {@code p90}, {@code p95}, {@code p99} and {@code longest} in
     *     nanoseconds, 0 if there are none
     */
    public Map<String, Double> figures() {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return Map.of(
                "count", (double) count,
                "p50", percentile(sorted, 50),
                "p90", percentile(sorted, 90),
                "p95", percentile(sorted, 95),
                "p99", percentile(sorted, 99),
                "longest", percentile(sorted, 100));
    }

    /** The smallest that at least so many percent do not exceed. */
    private static double percentile(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return sorted[Math.max(1, rank) - 1];
    }
}
