package dev.unjank.looper;

import dev.unjank.looper.util.Durations;
import dev.unjank.looper.util.LatencyBuckets;
import dev.unjank.looper.util.LatencyRecorder;
import java.util.Arrays;
import java.util.Objects;

/**
 * An immutable histogram of durations in nanoseconds.
 *
 * <p>The width of each bucket is at most 1/32 of the values in it, so a percentile is at most 3.2 percent too high and
 * never too low. Count and {@linkplain #max() maximum} are exact.
 */
public final class LatencyHistogram {
    private final long[] counts;
    private final long count;
    private final long max;

    private LatencyHistogram(long[] counts, long max) {
        this.counts = counts;
        this.count = Arrays.stream(counts).sum();
        this.max = max;
    }

    /** Returns the values recorded so far. */
    static LatencyHistogram of(LatencyRecorder recorder) {
        long[] counts = recorder.counts();
        return new LatencyHistogram(counts, recorder.max());
    }

    /**
     * Returns the number of values.
     *
     * @return the number of values
     */
    public long count() {
        return count;
    }

    /**
     * Returns the greatest value.
     *
     * @return nanoseconds, 0 if there are none
     */
    public long max() {
        return max;
    }

    /**
     * Returns a percentile: the value that the given percentage of all values does not exceed. 50 is the median.
     *
     * @param percent from 0 to 100
     * @return nanoseconds, up to 3.2 percent too high; 0 if there are none
     * @throws IllegalArgumentException if the percentage is out of range
     */
    public long percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent = " + percent + ": expected 0 to 100");
        }
        long left = Math.max(1, (long) Math.ceil(percent / 100 * count));
        for (int i = 0; i < counts.length; i++) {
            left -= counts[i];
            if (left <= 0) {
                return Math.min(LatencyBuckets.longestIn(i), max);
            }
        }
        return max;
    }

    /**
     * Returns the values added since an earlier snapshot of the same histogram. The maximum of the result is exact if
     * it is also the overall maximum; otherwise it is up to 3.2 percent too high.
     *
     * @param earlier the earlier snapshot
     * @return the difference
     */
    public LatencyHistogram since(LatencyHistogram earlier) {
        Objects.requireNonNull(earlier, "earlier");
        long[] added = new long[counts.length];
        int last = -1;
        for (int i = 0; i < counts.length; i++) {
            added[i] = Math.max(0, counts[i] - earlier.counts[i]);
            last = added[i] > 0 ? i : last;
        }
        return new LatencyHistogram(added, last < 0 ? 0 : Math.min(LatencyBuckets.longestIn(last), max));
    }

    /** Returns the count, the median, the 99th percentile and the maximum. */
    @Override
    public String toString() {
        return count + " (p50 " + Durations.text(percentile(50)) + ", p99 " + Durations.text(percentile(99)) + ", max "
                + Durations.text(max) + ")";
    }
}
