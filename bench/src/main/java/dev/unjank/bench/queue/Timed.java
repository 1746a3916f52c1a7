package dev.unjank.bench.queue;

import java.util.function.IntConsumer;

/** Something done many times over and timed as a whole, but given up after a while: one peer's moment is another's minute. */
final class Timed {

    /** How often it is done between two looks at the clock. */
    private static final int STRIDE = 16;

    private final int times;
    private final long mostNanos;
    private int done;

    Timed(int times, long mostNanos) {
        this.times = times;
        this.mostNanos = mostNanos;
    }

    /** Does it. Returns the mean time of those done. */
    double nanosEach(IntConsumer work) {
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
    int done() {
        return done;
    }
}
