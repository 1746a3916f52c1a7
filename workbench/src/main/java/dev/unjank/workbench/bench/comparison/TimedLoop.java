package dev.unjank.workbench.bench.comparison;

import java.util.function.IntConsumer;

/** A repeated operation, timed as a whole, with a time limit: peers differ by orders of magnitude. */
public final class TimedLoop {
    /** How often it is done between two looks at the clock. */
    private static final int STRIDE = 16;

    private final int times;
    private final long mostNanos;
    private int done;

    /**
     * Something to be done.
     *
     * @param mostNanos after how long it is given up
     */
    public TimedLoop(int times, long mostNanos) {
        this.times = times;
        this.mostNanos = mostNanos;
    }

    /**
     * Does it.
     *
     * @param work is given the number of the time, from 0
     * @return the mean time of those done, in nanoseconds
     */
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

    /** How often it was done. */
    public int done() {
        return done;
    }
}
