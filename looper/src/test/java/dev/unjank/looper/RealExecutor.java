package dev.unjank.looper;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The executors under the contract. The JDK's own executor validates the tests: a rule that it breaks is no contract.
 */
enum RealExecutor implements ExecutorSubject {
    POOL {
        @Override
        public Running start() {
            ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
            pool.setRemoveOnCancelPolicy(true);
            return new Running(pool, pool::shutdownNow);
        }
    },
    LOCK_FREE {
        @Override
        public Running start() {
            return onLooper(QueueKind.LOCK_FREE);
        }
    },
    MONITOR {
        @Override
        public Running start() {
            return onLooper(QueueKind.MONITOR);
        }
    };

    private static Running onLooper(QueueKind kind) {
        HandlerThread thread =
                new HandlerThread("test", LooperOptions.defaults().withQueue(kind));
        thread.start();
        return new Running(thread.getLooper().asScheduledExecutorService(), thread::quit);
    }
}
