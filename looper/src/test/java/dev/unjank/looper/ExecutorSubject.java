package dev.unjank.looper;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Whose contract is tested. The JDK's own executor is here to test the tests: what it does not pass is no contract. */
enum ExecutorSubject {
    POOL {
        @Override
        Running start() {
            ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
            pool.setRemoveOnCancelPolicy(true);
            return new Running(pool, pool::shutdownNow);
        }
    },
    LOCK_FREE {
        @Override
        Running start() {
            return onLooper(QueueKind.LOCK_FREE);
        }
    },
    MONITOR {
        @Override
        Running start() {
            return onLooper(QueueKind.MONITOR);
        }
    };

    /** A service that runs, and what ends the thread below it. */
    record Running(ScheduledExecutorService service, Runnable end) {}

    abstract Running start();

    private static Running onLooper(QueueKind kind) {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        return new Running(thread.getLooper().asScheduledExecutorService(), thread::quit);
    }
}
