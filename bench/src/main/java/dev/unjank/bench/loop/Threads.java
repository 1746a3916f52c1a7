package dev.unjank.bench.loop;

import java.util.concurrent.TimeUnit;

/** The end of a thread, waited for so that it does not disturb what is measured next. */
final class Threads {

    /** Whoever takes longer is stuck, and a benchmark that waited for it would be, too. */
    static final long PATIENCE_SECONDS = 20;

    private Threads() {}

    static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
