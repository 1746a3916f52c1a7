package dev.unjank.looper;

import java.util.concurrent.ScheduledExecutorService;

/** A service under the executor contract tests. */
interface ExecutorSubject {
    /** A service with a thread of its own, and the action that ends that thread. */
    record Running(ScheduledExecutorService service, Runnable end) {}

    Running start();
}
