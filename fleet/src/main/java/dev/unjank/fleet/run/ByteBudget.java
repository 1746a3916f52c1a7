package dev.unjank.fleet.run;

import java.util.concurrent.Semaphore;

/**
 * The budget of trace bytes that are processed at once, since a trace in memory takes a multiple of its file. A trace that is larger
 * than the budget gets all of it. In the order of requests.
 */
final class ByteBudget {
    /** The bytes of a permit. */
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
