package dev.unjank.looper;

import java.util.concurrent.ScheduledExecutorService;

/** Something that the contract of an executor is tested of. */
interface ExecutorSubject {
    /** A service that one thread of its own serves, and what ends that thread. */
    record Running(ScheduledExecutorService service, Runnable end) {}

    Running start();
}
