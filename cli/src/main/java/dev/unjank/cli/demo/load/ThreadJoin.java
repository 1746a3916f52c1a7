package dev.unjank.cli.demo.load;

import java.util.concurrent.TimeUnit;

/** The end of a thread, waited for so that it does not disturb what is measured next. */
public final class ThreadJoin {

    /** Whoever takes longer is stuck, and a benchmark that waited for it would be, too. */
    public static final long PATIENCE_SECONDS = 20;

    private ThreadJoin() {}

    public static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
