package dev.unjank.looper.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A recorder of durations with one writing thread and any number of reading threads. Recording a value takes two stores
 * and no lock. A concurrent snapshot contains some of the values being recorded, and never a value above its maximum.
 */
public final class LatencyRecorder {
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle MAX;

    static {
        try {
            MAX = MethodHandles.lookup().findVarHandle(LatencyRecorder.class, "max", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] counts = new long[LatencyBuckets.COUNT];
    private long max;

    /** Records one duration. Called only by the writer. */
    public void add(long nanos) {
        if (nanos > max) {
            setMaxOpaque(nanos);
        }
        int bucket = LatencyBuckets.of(nanos);
        setCountRelease(bucket, counts[bucket] + 1);
    }

    /** Returns the number of values in each of the {@link LatencyBuckets}. May be called from any thread. */
    public long[] counts() {
        long[] copy = new long[counts.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = countAcquire(i);
        }
        return copy;
    }

    /**
     * Returns the greatest value. May be called from any thread: a maximum read after {@link #counts} is not below a
     * value in them.
     */
    public long max() {
        return maxOpaque();
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
