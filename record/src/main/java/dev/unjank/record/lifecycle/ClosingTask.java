package dev.unjank.record.lifecycle;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * A task whose result no thread takes once it has been cancelled: a result that comes after that is closed, by the
 * task's thread. Otherwise a process or a descriptor that was opened too late would stay until this process ends.
 *
 * @param <T> the type of the result
 */
public final class ClosingTask<T> extends FutureTask<T> {
    private final Closer<? super T> closer;

    /** Closes a result. */
    @FunctionalInterface
    public interface Closer<T> {
        void close(T result) throws Exception;
    }

    /** Creates a task with a way to close its result. */
    public ClosingTask(Callable<T> task, Closer<? super T> closer) {
        super(task);
        this.closer = closer;
    }

    @Override
    protected void set(T result) {
        super.set(result);
        if (isCancelled()) {
            try {
                closer.close(result);
            } catch (Exception e) {
                // no thread waits for it
            }
        }
    }
}
