package dev.unjank.cli.demo.load;

import java.util.Arrays;

/** A list of durations in ns, with percentiles. Not thread-safe. */
final class LatencySamples {

    private long[] nanos;
    private int count;

    /** Creates a list with room for {@code expected} durations; recording more of them allocates. */
    LatencySamples(int expected) {
        nanos = new long[Math.max(1, expected)];
    }

    void record(long duration) {
        ensureCapacity(count + 1);
        nanos[count++] = duration;
    }

    void add(LatencySamples other) {
        ensureCapacity(count + other.count);
        System.arraycopy(other.nanos, 0, nanos, count, other.count);
        count += other.count;
    }

    int count() {
        return count;
    }

    /** The smallest duration that {@code percent} of all durations do not exceed; 0 if there are none. */
    long percentile(double percent) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[Math.clamp((int) Math.ceil(percent * count / 100) - 1, 0, count - 1)];
    }

    private void ensureCapacity(int needed) {
        if (needed > nanos.length) {
            nanos = Arrays.copyOf(nanos, Math.max(needed, 2 * nanos.length));
        }
    }
}
