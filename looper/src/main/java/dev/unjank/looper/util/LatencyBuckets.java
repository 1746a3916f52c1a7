package dev.unjank.looper.util;

/**
 * The buckets of a histogram of durations in nanoseconds. The width of each is at most 1/32 of the values in it: each
 * value below 64 has its own bucket; above, the values from one power of two to the next share 32 buckets.
 */
public final class LatencyBuckets {
    private static final int SUB_BITS = 5;
    private static final int SUB = 1 << SUB_BITS;

    /** The number of buckets. */
    public static final int COUNT = (Long.SIZE - 1 - SUB_BITS) * SUB + SUB;

    private LatencyBuckets() {}

    /** Returns the bucket of a value; negative values count as 0. */
    public static int of(long nanos) {
        long value = Math.max(nanos, 0);
        int shift = Math.max(0, Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(value));
        return shift * SUB + (int) (value >>> shift);
    }

    /** Returns the greatest value of a bucket. */
    public static long longestIn(int bucket) {
        int shift = Math.max(0, bucket / SUB - 1);
        return ((bucket - (long) shift * SUB + 1) << shift) - 1;
    }
}
