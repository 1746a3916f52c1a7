package dev.unjank.workbench.bench.comparison;

import java.util.function.IntConsumer;

/** A repeated operation, timed as a whole, with a time limit: peers differ by orders of magnitude. */
public final class TimedLoop {
    /** The number of operations between two clock reads. */
    private static final int STRIDE = 16;

    private final int times;
    private final long mostNanos;
    private int done;

    /** Creates a loop that stops after {@code mostNanos}. */
    public TimedLoop(int times, long mostNanos) {
        this.times = times;
        this.mostNanos = mostNanos;
    }

    /** Runs the operation with its index, from 0; returns the mean time in nanoseconds. */
    public double nanosEach(IntConsumer work) {
        done = 0;
        long start = System.nanoTime();
        long spent = 0;
        while (done < times && spent < mostNanos) {
            int end = Math.min(done + STRIDE, times);
            while (done < end) {
                work.accept(done++);
            }
            spent = System.nanoTime() - start;
        }
        return (double) spent / done;
    }

    public int done() {
        return done;
    }
}
