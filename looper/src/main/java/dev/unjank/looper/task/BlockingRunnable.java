package dev.unjank.looper.task;

import dev.unjank.looper.queue.Node;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A Runnable whose posting thread waits until it has run, or until its message has ended without a run. */
public final class BlockingRunnable implements QueuedTask {
    private final Runnable task;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Whether the task has run. Written before the latch opens, read afterwards. */
    private boolean ran;

    public BlockingRunnable(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        ran = true;
        task.run();
    }

    @Override
    public void released(Node message) {
        ended.countDown();
    }

    @Override
    public Class<?> taskClass() {
        return task.getClass();
    }

    /**
     * Waits until the message has ended. An interrupt does not end the wait; the interrupt flag is restored afterwards.
     *
     * @param timeoutNanos the maximum time to wait
     * @return true if the task has run; false if it never will, or if the timeout has elapsed
     */
    public boolean await(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos; // may overflow, like the difference below
        return uninterruptibly(() -> ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) && ran;
    }

    /** Repeats a blocking call until it returns without an interrupt, and then restores the interrupt flag. */
    public static <T> T uninterruptibly(Callable<T> blocking) {
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    return blocking.call();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    Throwable thrown = e.getCause();
                    if (thrown instanceof RuntimeException unchecked) {
                        throw unchecked;
                    }
                    if (thrown instanceof Error error) {
                        throw error;
                    }
                    throw new IllegalStateException(thrown);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
