package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import java.util.concurrent.TimeUnit;

/**
 * The deadline of a wait, and whether the wait is interruptible. An interrupt does not end a sleep on a futex, so an
 * interruptible wait sleeps for at most {@value #SLICE_MILLIS} ms at a time.
 */
record Deadline(long deadline, boolean isInterruptible) {
    static final long SLICE_MILLIS = 10;

    /** No deadline, uninterruptible. */
    static final Deadline ENDLESS = new Deadline(Futex.NO_DEADLINE, false);

    /** No deadline, interruptible. */
    static final Deadline UNTIL_INTERRUPTED = new Deadline(Futex.NO_DEADLINE, true);

    /** Returns the deadline of an interruptible wait with a timeout. */
    static Deadline until(long nanos) {
        long deadline = System.nanoTime() + nanos;
        return new Deadline(
                deadline < 0 ? Futex.NO_DEADLINE : deadline, true); // negative: overflow, after hundreds of years
    }

    /** Returns the time at which the next sleep must end. */
    long wakeUp() {
        return isInterruptible
                ? Math.min(deadline, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SLICE_MILLIS))
                : deadline;
    }

    private boolean hasPassed() {
        return deadline != Futex.NO_DEADLINE && System.nanoTime() >= deadline;
    }

    /** Returns whether a thread stops waiting after it has been woken or timed out. */
    boolean isExpired() {
        return hasPassed() || (isInterruptible && Thread.currentThread().isInterrupted());
    }

    /** Throws if the wait is interruptible and the thread is interrupted. */
    void checkInterrupt() throws InterruptedException {
        if (isInterruptible && Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
