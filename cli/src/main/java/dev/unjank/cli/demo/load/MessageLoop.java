package dev.unjank.cli.demo.load;

import dev.unjank.looper.FrameClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** One thread that runs what any thread posts: what all peers have in common. */
public interface MessageLoop extends AutoCloseable {

    /** A task without effect. */
    Runnable NOTHING = () -> {};

    /**
     * Has the loop run the task as soon as it can.
     *
     * @param task what to run
     */
    void post(Runnable task);

    /**
     * Has the loop run the task later.
     *
     * @param task what to run
     * @param delayMillis how much later
     * @return what {@link #cancel} takes
     * @throws UnsupportedOperationException if this peer has no timers
     */
    Object postDelayed(Runnable task, long delayMillis);

    /**
     * Has the loop run the task at a given moment.
     *
     * @param task what to run
     * @param nanoTime when, on the clock of {@link System#nanoTime()}; a multiple of a million, since some know no less
     * @throws UnsupportedOperationException if this peer has no timers
     */
    void postAt(Runnable task, long nanoTime);

    /**
     * Takes a delayed task back, in the cheapest way that the peer has.
     *
     * @param delayed what {@link #postDelayed} returned
     */
    void cancel(Object delayed);

    /**
     * Posts a delayed message that does nothing and has a number.
     *
     * @param number by which it is removed
     * @param delayMillis how much later than now it is due
     * @return what {@link #remove} takes
     */
    default Object sendDelayed(int number, long delayMillis) {
        return postDelayed(NOTHING, delayMillis);
    }

    /**
     * Removes a delayed message by its number, or by what {@link #sendDelayed} returned where numbers are unknown.
     *
     * @param number its number
     * @param sent what {@link #sendDelayed} returned
     */
    default void remove(int number, Object sent) {
        cancel(sent);
    }

    /**
     * Frames on the loop's thread.
     *
     * @param period from frame to frame
     * @param nanoTime when one of them begins, on the clock of {@link System#nanoTime()}
     * @return what calls back in each; null if this peer has no such thing
     */
    default @Nullable FrameClock frames(Duration period, long nanoTime) {
        return null;
    }

    /** Ends the loop, drops what waits, and returns when its thread has gone. */
    @Override
    void close();

    /**
     * Returns when the loop has run everything that was posted before, and so has taken in its timers.
     *
     * @throws InterruptedException if the caller is interrupted
     */
    default void settle() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        post(reached::countDown);
        reached.await();
    }

    /**
     * Occupies the loop's thread.
     *
     * @return a latch; the loop goes on when it has been counted down
     * @throws InterruptedException if the caller is interrupted
     */
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

    /**
     * Asks the loop for its thread.
     *
     * @return the thread that runs what is posted
     * @throws InterruptedException if the caller is interrupted
     */
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
