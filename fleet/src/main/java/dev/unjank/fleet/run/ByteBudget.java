package dev.unjank.fleet.run;

import java.util.concurrent.Semaphore;

/**
 * How many bytes of traces may be worked on at once, since a trace in memory takes a multiple of its file. A trace that is larger than
 * all there is gets all, and so is alone. In the order of asking.
 */
final class ByteBudget {
    /** What permits are counted in. */
    private static final int UNIT = 1 << 12;

    private final int all;
    private final Semaphore left;

    ByteBudget(long bytes) {
        all = Math.clamp(bytes / UNIT, 1, Integer.MAX_VALUE);
        left = new Semaphore(all, true);
    }

    /** Waits until there is room; what is returned gives it back. */
    Runnable take(long bytes) throws InterruptedException {
        int units = Math.clamp(bytes / UNIT, 1, all);
        left.acquire(units);
        return () -> left.release(units);
    }
}
