package dev.unjank.looper;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/**
 * Tasks that a caller has run together and waits for: invokeAll and invokeAny. However that ends, by a result, an
 * exception, an interrupt or the end of the time, what is left of them is cancelled.
 *
 * <p>They run one after the other, in the order in which they were sent, so they are waited for in that order: when one of
 * them has ended, none before it is still to come. They are tasks of the service like any other, which is why the
 * looper's end releases whoever waits here.
 *
 * @param <T> the type of their results
 */
final class BulkInvocation<T> {
    private final LooperExecutorService service;
    private final List<Future<T>> futures = new ArrayList<>();
    private final long begin = System.nanoTime();
    private final long timeout;

    /**
     * Makes an empty group.
     *
     * @param timeout nanoseconds of the system's time, from now; Long.MAX_VALUE is 292 years
     */
    BulkInvocation(LooperExecutorService service, long timeout) {
        this.service = service;
        this.timeout = timeout;
    }

    /** Waits until all have ended, or the time has. */
    List<Future<T>> all(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        try {
            submit(tasks);
            for (Future<T> future : futures) {
                try {
                    future.get(left(), NANOSECONDS);
                } catch (ExecutionException | CancellationException e) {
                    // for whoever asks that future
                }
            }
        } catch (TimeoutException e) {
            // what is not done by now is cancelled
        } finally {
            cancel();
        }
        return futures;
    }

    /** Waits for the first that succeeds. */
    T any(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException, TimeoutException {
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
            future.cancel(true); // those that have ended stay as they are
        }
    }
}
