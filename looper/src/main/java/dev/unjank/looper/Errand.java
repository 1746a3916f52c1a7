package dev.unjank.looper;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A Runnable that one thread gives to a looper and waits for.
 *
 * <p>A message that is removed or dropped tells nobody, which keeps removing cheap for everyone else. So whoever waits
 * for one looks at it from time to time; a message that has been delivered ends the wait at once.
 */
final class Errand implements Runnable {
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Runnable task;
    private final CountDownLatch done = new CountDownLatch(1);

    Errand(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        try {
            task.run();
        } finally {
            done.countDown();
        }
    }

    /**
     * Waits until the task has run.
     *
     * @param message what carries this to the looper
     * @param timeoutNanos how long to wait; 0 means for ever
     * @return false if the message will never be delivered, or the time is over
     */
    boolean await(Message message, long timeoutNanos) {
        return await(done, message, timeoutNanos);
    }

    /**
     * Waits until the delivery of a message has opened a latch. An interrupt does not end the wait and is not lost.
     *
     * @return false if the message has died and the latch is still closed, or if the time, unless 0, is over
     */
    static boolean await(CountDownLatch latch, Message message, long timeoutNanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            for (; ; ) {
                // the state first: whoever delivers a message opens the latch before it sets the state
                int state = message.stateVolatile();
                boolean dead = state == Node.REMOVED || state == Node.RECYCLED;
                long left = timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos - (System.nanoTime() - start);
                try {
                    if (latch.await(dead ? 0 : Math.min(left, CHECK_NANOS), TimeUnit.NANOSECONDS)) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                    continue;
                }
                if (dead || left <= 0) {
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
