package dev.unjank.cli.demo.load;

import dev.unjank.looper.FrameClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** A message loop: one thread that runs the tasks posted by any thread. The common interface of all compared loops. */
public interface MessageLoop extends AutoCloseable {

    /** A task without effect. */
    Runnable NOTHING = () -> {};

    void post(Runnable task);

    /**
     * Posts a delayed task, and returns a handle for {@link #cancel}. A loop without timers throws {@link
     * UnsupportedOperationException}.
     */
    Object postDelayed(Runnable task, long delayMillis);

    /**
     * Posts a task for a point in time.
     *
     * @param nanoTime when, on the clock of {@link System#nanoTime()}; a multiple of 1 ms, the resolution of some loops
     * @throws UnsupportedOperationException if this loop has no timers
     */
    void postAt(Runnable task, long nanoTime);

    /** Cancels a delayed task of {@link #postDelayed} in the loop's cheapest way. */
    void cancel(Object delayed);

    /** Posts a delayed message without effect, identified by a number. Returns a handle for {@link #remove}. */
    default Object sendDelayed(int number, long delayMillis) {
        return postDelayed(NOTHING, delayMillis);
    }

    /** Removes a delayed message by its number, or by its handle of {@link #sendDelayed} if the loop has no numbers. */
    default void remove(int number, Object sent) {
        cancel(sent);
    }

    /**
     * The frame clock on the loop's thread, whose first frame is due at {@code nanoTime} on the clock of {@link
     * System#nanoTime()}; null if this loop does not have one.
     */
    default @Nullable FrameClock frames(Duration period, long nanoTime) {
        return null;
    }

    /** Ends the loop, drops pending tasks, and waits for its thread to end. */
    @Override
    void close();

    /** Waits until the loop has run everything posted before, and has inserted its timers. */
    default void settle() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        post(reached::countDown);
        reached.await();
    }

    /** Blocks the loop's thread. Counting the latch down continues the loop. */
    default CountDownLatch hold() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        post(() -> {
            held.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        held.await();
        return release;
    }

    default Thread thread() throws InterruptedException {
        FutureTask<Thread> asked = new FutureTask<>(Thread::currentThread);
        post(asked);
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
