package dev.unjank.looper;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of a task that was submitted to a {@link Handler}. The first completion wins: the run, a cancellation, a
 * timeout, or the end of the message without a run, which cancels the future. If other code completes the future, the
 * message is removed, so that neither message nor task stays in the queue.
 *
 * @param <V> the type of the result
 */
final class HandlerFuture<V> extends CompletableFuture<V> implements QueuedTask {
    private final Looper looper;
    private final Message message;
    /** Kept for {@link #toString} after the task itself has been cleared. */
    private final Class<?> taskClass;

    /**
     * The task; null when it is no longer needed. If clearing it is too late, that is harmless: the task had already
     * begun.
     */
    private volatile @Nullable Callable<? extends V> task;

    @SuppressWarnings("this-escape") // the message is sent after the constructor
    HandlerFuture(Handler handler, Callable<? extends V> task, Class<?> taskClass) {
        this.looper = handler.getLooper();
        this.task = task;
        this.taskClass = taskClass;
        this.message = Message.obtain(handler, this);
    }

    Message message() {
        return message;
    }

    @Override
    public void run() {
        Callable<? extends V> mine = task;
        if (mine == null || isDone()) {
            return;
        }
        task = null;
        try {
            super.complete(mine.call());
        } catch (Throwable e) {
            super.completeExceptionally(e);
        }
    }

    @Override
    public void released(Node ended) {
        super.cancel(false);
        task = null;
    }

    @Override
    public Class<?> taskClass() {
        return taskClass;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return drop(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(V value) {
        return drop(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable e) {
        return drop(super.completeExceptionally(e));
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        checkMayWait();
        return super.get();
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Objects.requireNonNull(unit, "unit");
        if (timeout > 0) {
            checkMayWait();
        }
        return super.get(timeout, unit);
    }

    @Override
    public V join() {
        checkMayWait();
        return super.join();
    }

    private void checkMayWait() {
        if (!isDone()) {
            looper.checkMayWait();
        }
    }

    private boolean drop(boolean completed) {
        if (completed) {
            task = null;
            message.cancel();
        }
        return completed;
    }

    @Override
    public String toString() {
        return super.toString() + " of " + taskClass.getName();
    }
}
