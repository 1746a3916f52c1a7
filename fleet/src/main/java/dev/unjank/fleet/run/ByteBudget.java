package dev.unjank.fleet.run;

import java.util.concurrent.Semaphore;

/**
 * A limit on the total size of the traces that are processed in parallel, since a trace takes a multiple of its file
 * size in memory. A trace larger than the budget gets all of it. Requests are served in order.
 */
final class ByteBudget {
    /** The number of bytes per permit. */
    private static final int UNIT = 1 << 12;

    private final int all;
    private final Semaphore left;

    ByteBudget(long bytes) {
        all = Math.clamp(bytes / UNIT, 1, Integer.MAX_VALUE);
        left = new Semaphore(all, true);
    }

    /** Waits for a share of the budget; running the result returns it. */
    Runnable take(long bytes) throws InterruptedException {
        int units = Math.clamp(bytes / UNIT, 1, all);
        left.acquire(units);
        return () -> left.release(units);
    }
}
