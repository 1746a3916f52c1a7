package dev.unjank.looper.task;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/**
 * The tasks of one invokeAll or invokeAny. On any outcome (a result, an exception, an interrupt or a timeout) the
 * remaining tasks are cancelled.
 *
 * <p>The tasks run one after the other, in the order of sending, and the caller waits for them in that order: when a
 * task has ended, all tasks before it have ended. They are ordinary tasks of the service, so the end of the looper
 * releases the waiting caller.
 *
 * @param <T> the type of their results
 */
public final class BulkInvocation<T> {
    private final ExecutorService service;
    private final List<Future<T>> futures = new ArrayList<>();
    private final long begin = System.nanoTime();
    private final long timeout;

    public BulkInvocation(ExecutorService service, long timeout) {
        this.service = service;
        this.timeout = timeout;
    }

    /** Runs all tasks, and waits until they have ended or the timeout has elapsed. */
    public List<Future<T>> all(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        try {
            submit(tasks);
            for (Future<T> future : futures) {
                try {
                    future.get(left(), NANOSECONDS);
                } catch (ExecutionException | CancellationException e) {
                    // the caller gets the exception from that future
                }
            }
        } catch (TimeoutException e) {
            // cancel the tasks that are not done yet
        } finally {
            cancel();
        }
        return futures;
    }

    /** Runs the tasks until one succeeds, and returns its result. */
    public T any(Collection<? extends Callable<T>> tasks)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("tasks: expected at least one");
        }
        try {
            submit(tasks);
            ExecutionException failure = null;
            for (Future<T> future : futures) {
                try {
                    return future.get(left(), NANOSECONDS);
                } catch (ExecutionException e) {
                    failure = e;
                } catch (CancellationException e) {
                    failure = new ExecutionException(e);
                }
            }
            throw Objects.requireNonNull(failure);
        } finally {
            cancel();
        }
    }

    private void submit(Collection<? extends Callable<T>> tasks) {
        for (Callable<T> task : tasks) {
            futures.add(service.submit(task));
        }
    }

    private long left() {
        return timeout - (System.nanoTime() - begin);
    }

    private void cancel() {
        for (Future<T> future : futures) {
            future.cancel(true); // no effect on tasks that have ended
        }
    }
}
