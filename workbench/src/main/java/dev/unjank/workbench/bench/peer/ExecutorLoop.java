package dev.unjank.workbench.bench.peer;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.cli.demo.load.ThreadJoin;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A loop on a scheduled executor with one thread. */
final class ExecutorLoop implements MessageLoop {
    private final ScheduledExecutorService executor;
    private final Runnable shutdown;

    ExecutorLoop(ScheduledExecutorService executor, Runnable shutdown) {
        this.executor = executor;
        this.shutdown = shutdown;
    }

    @Override
    public void post(Runnable task) {
        executor.execute(task);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the tasks do not fail
    public Object postDelayed(Runnable task, long delayMillis) {
        return executor.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the tasks do not fail
    public void postAt(Runnable task, long nanoTime) {
        executor.schedule(task, nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void cancel(Object delayed) {
        ((Future<?>) delayed).cancel(false);
    }

    @Override
    public void close() {
        shutdown.run();
        try {
            executor.awaitTermination(ThreadJoin.TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
