package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts lengths of time: one thread writes, any thread reads. Adding one is two stores and takes no lock; a state that
 * was read beside it contains some of what is being added, and never a length above its maximum.
 */
final class LatencyRecorder {
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle MAX;

    static {
        try {
            MAX = MethodHandles.lookup().findVarHandle(LatencyRecorder.class, "max", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] counts = new long[LatencyHistogram.BUCKETS];
    private long max;

    /** Adds one. The writer only. */
    void add(long nanos) {
        if (nanos > max) {
            setMaxOpaque(nanos);
        }
        int bucket = LatencyHistogram.bucketOf(nanos);
        setCountRelease(bucket, counts[bucket] + 1);
    }

    /** What has been added so far. Any thread. */
    LatencyHistogram snapshot() {
        long[] copy = new long[counts.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = countAcquire(i);
        }
        return new LatencyHistogram(copy, maxOpaque());
    }

    /** Release: a maximum comes before the count of what has set it. */
    private void setCountRelease(int bucket, long count) {
        COUNT.setRelease(counts, bucket, count);
    }

    private long countAcquire(int bucket) {
        return (long) COUNT.getAcquire(counts, bucket);
    }

    /** Opaque: ordered by the counts. */
    private void setMaxOpaque(long nanos) {
        MAX.setOpaque(this, nanos);
    }

    private long maxOpaque() {
        return (long) MAX.getOpaque(this);
    }
}
