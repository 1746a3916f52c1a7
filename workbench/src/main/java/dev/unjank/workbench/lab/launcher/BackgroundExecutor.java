package dev.unjank.workbench.lab.launcher;

import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.looper.Handler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A low-priority job that arms its timeouts in the UI thread's queue again and again, a batch at a time: removes each and posts
 * it anew, due long after the experiment.
 */
final class BackgroundExecutor extends Thread {
    /** Timeouts of one executor that wait in the queue. */
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

    /** Where its timeouts are to wait from now on. */
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

    /** Spread over ten minutes, so that a queue sorted by time must look for the place. */
    static void rearm(Handler handler, int code) {
        handler.removeMessages(code);
        handler.sendEmptyMessageDelayed(code, SOONEST_MILLIS + code * 7919L % SOONEST_MILLIS);
    }

    void stopSoon() {
        stop = true;
    }
}
