package dev.unjank.bench.queue;

import java.util.concurrent.CountDownLatch;

/** One thread that runs what any thread posts: what all peers have in common. */
interface Loop extends AutoCloseable {

    /** A task without effect. */
    Runnable NOTHING = () -> {};

    /** Has the loop run the task as soon as it can. */
    void post(Runnable task);

    /**
     * Has the loop run the task later.
     *
     * @return what {@link #cancel} takes
     */
    Object postDelayed(Runnable task, long delayMillis);

    /** Takes a delayed task back. */
    void cancel(Object delayed);

    @Override
    void close();

    /** Returns when the loop has run everything that was posted before, and so has taken in its timers. */
    default void settle() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        post(reached::countDown);
        reached.await();
    }

    /** Occupies the loop's thread until the returned latch is counted down. */
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
}
