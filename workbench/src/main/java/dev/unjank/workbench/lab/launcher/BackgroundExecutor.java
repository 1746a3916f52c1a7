package dev.unjank.workbench.lab.launcher;

import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.looper.Handler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A low-priority job that repeatedly rearms its timeouts in the UI thread's queue, in batches: removes each and posts
 * it again, due long after the experiment.
 */
final class BackgroundExecutor extends Thread {
    /** The number of timeouts of one executor in the queue. */
    static final int TIMEOUTS = 500;

    private static final int BATCH = 100;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long SOONEST_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final int first;
    private final int nice;
    private volatile @Nullable Handler queue;
    private volatile boolean stop;

    BackgroundExecutor(int number, int nice) {
        super("executor-" + number);
        setDaemon(true);
        this.first = number * TIMEOUTS;
        this.nice = nice;
    }

    /** Sets the handler for its timeouts; null for none. */
    void aimAt(@Nullable Handler handler) {
        queue = handler;
    }

    @Override
    public void run() {
        Niceness.setCurrentThread(nice);
        int armed = 0;
        while (!stop) {
            Handler handler = queue;
            for (int i = 0; i < BATCH && handler != null; i++) {
                rearm(handler, first + armed % TIMEOUTS);
                armed++;
            }
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    /**
     * Posts a timeout with a delay from a range of ten minutes, so that a sorted queue must search for its position.
     */
    static void rearm(Handler handler, int code) {
        handler.removeMessages(code);
        handler.sendEmptyMessageDelayed(code, SOONEST_MILLIS + code * 7919L % SOONEST_MILLIS);
    }

    void stopSoon() {
        stop = true;
    }
}
