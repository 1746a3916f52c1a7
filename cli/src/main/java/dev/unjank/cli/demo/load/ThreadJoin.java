package dev.unjank.cli.demo.load;

import java.util.concurrent.TimeUnit;

/** Waits for a thread to end, so that it does not disturb the next measurement. */
public final class ThreadJoin {

    /** A thread that takes longer hangs; the benchmark continues without it. */
    public static final long TIMEOUT_SECONDS = 20;

    private ThreadJoin() {}

    public static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
