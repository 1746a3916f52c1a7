package dev.unjank.looper;

import dev.unjank.looper.util.Durations;
import java.util.Arrays;
import java.util.Objects;

/**
 * How often each length of time has occurred. Immutable; lengths are in nanoseconds.
 *
 * <p>The counts are kept in buckets that are as wide as one part in 32 of what they hold, so a percentile is at most
 * 3.2 percent too high and never too low. Count and {@linkplain #max() maximum} are exact.
 */
public final class LatencyHistogram {
    // A bucket for each value below 64; above, the values from one power of two to the next share 32 buckets.
    private static final int SUB_BITS = 5;
    private static final int SUB = 1 << SUB_BITS;
    static final int BUCKETS = (Long.SIZE - 1 - SUB_BITS) * SUB + SUB;

    private final long[] counts;
    private final long count;
    private final long max;

    /**
     * Makes a histogram.
     *
     * @param counts how many there are in each bucket; not to be changed any more
     * @param max the longest of them, or 0 if there are none
     */
    LatencyHistogram(long[] counts, long max) {
        this.counts = counts;
        this.count = Arrays.stream(counts).sum();
        this.max = max;
    }

    /** The bucket of a length; what is negative counts as 0. */
    static int bucketOf(long nanos) {
        long value = Math.max(nanos, 0);
        int shift = Math.max(0, Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(value));
        return shift * SUB + (int) (value >>> shift);
    }

    /** The longest length in a bucket. */
    static long longestIn(int bucket) {
        int shift = Math.max(0, bucket / SUB - 1);
        return ((bucket - (long) shift * SUB + 1) << shift) - 1;
    }

    /**
     * Returns how many there are.
     *
     * @return the number of lengths counted
     */
    public long count() {
        return count;
    }

    /**
     * Returns the longest.
     *
     * @return nanoseconds, 0 if there are none
     */
    public long max() {
        return max;
    }

    /**
     * Returns the length that this share of all does not exceed: 50 for the median, 99 for all but one in a hundred.
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
                return Math.min(longestIn(i), max);
            }
        }
        return max;
    }

    /**
     * Returns what has been added since an earlier state of the same histogram. Its maximum is exact if it is also the
     * maximum of all; otherwise it is up to 3.2 percent too high.
     *
     * @param earlier the earlier state
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
        return new LatencyHistogram(added, last < 0 ? 0 : Math.min(longestIn(last), max));
    }

    /** For people: the count, the median, the 99th percentile and the maximum. */
    @Override
    public String toString() {
        return count + " (p50 " + Durations.text(percentile(50)) + ", p99 " + Durations.text(percentile(99)) + ", max "
                + Durations.text(max) + ")";
    }
}
