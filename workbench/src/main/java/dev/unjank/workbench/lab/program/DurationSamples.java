package dev.unjank.workbench.lab.program;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.LongStream;

/** A list of durations in nanoseconds. One thread adds; others read after it has ended. */
public final class DurationSamples {
    private long[] nanos = new long[1024];
    private int count;

    public void add(long delay) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = delay;
    }

    private LongStream all() {
        return Arrays.stream(nanos, 0, count);
    }

    public double mean() {
        return (double) total() / count;
    }

    public long total() {
        return all().sum();
    }

    public long longest() {
        return all().max().orElse(0);
    }

    /** Counts the durations in a range, in nanoseconds, exclusive of its end. */
    public long between(long from, long to) {
        return all().filter(delay -> delay >= from && delay < to).count();
    }

    /** The smallest duration that the given share of all durations does not exceed; 0 if there are none. */
    public long quantile(double share) {
        long[] sorted = all().sorted().toArray();
        return count == 0 ? 0 : sorted[Math.max(1, (int) Math.ceil(share * count)) - 1];
    }

    /**
     * The {@code count}, the percentiles {@code p50}, {@code p90}, {@code p95} and {@code p99}, and the {@code
     * longest}.
     */
    public Map<String, Double> figures() {
        return Map.of(
                "count", (double) count,
                "p50", (double) quantile(0.5),
                "p90", (double) quantile(0.9),
                "p95", (double) quantile(0.95),
                "p99", (double) quantile(0.99),
                "longest", (double) longest());
    }
}
