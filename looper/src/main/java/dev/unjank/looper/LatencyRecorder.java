package dev.unjank.looper;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A recorder of durations with one writing thread and any number of reading threads. Recording a value takes two stores and no lock. A
 * concurrent snapshot contains some of the values being recorded, and never a value above its maximum.
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

    /** Records one duration. Called only by the writer. */
    void add(long nanos) {
        if (nanos > max) {
            setMaxOpaque(nanos);
        }
        int bucket = LatencyHistogram.bucketOf(nanos);
        setCountRelease(bucket, counts[bucket] + 1);
    }

    /** Returns the values recorded so far. May be called from any thread. */
    LatencyHistogram snapshot() {
        long[] copy = new long[counts.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = countAcquire(i);
        }
        return new LatencyHistogram(copy, maxOpaque());
    }

    /** Release: a maximum is visible before the count of the value that set it. */
    private void setCountRelease(int bucket, long count) {
        COUNT.setRelease(counts, bucket, count);
    }

    private long countAcquire(int bucket) {
        return (long) COUNT.getAcquire(counts, bucket);
    }

    /** Opaque: {@link #setCountRelease} orders it. */
    private void setMaxOpaque(long nanos) {
        MAX.setOpaque(this, nanos);
    }

    private long maxOpaque() {
        return (long) MAX.getOpaque(this);
    }
}
