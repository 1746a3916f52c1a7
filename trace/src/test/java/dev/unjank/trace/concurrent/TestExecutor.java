package dev.unjank.trace.concurrent;

import java.util.concurrent.Executor;

/** Executors that differ in when they run a task. */
public enum TestExecutor implements Executor {
    /** At once, on the calling thread. */
    DIRECT {
        @Override
        public void execute(Runnable task) {
            task.run();
        }
    },
    /** On a new thread. */
    NEW_THREAD {
        @Override
        public void execute(Runnable task) {
            new Thread(task).start();
        }
    },
    /** Never, like an executor whose threads are all busy. */
    BUSY {
        @Override
        public void execute(Runnable task) {}
    }
}
