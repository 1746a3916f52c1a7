package dev.unjank.locks.futex;

import dev.unjank.linux.Futex;
import java.util.concurrent.TimeUnit;

/**
 * Until when a thread waits, and whether it listens to interrupts. An interrupt does not end a sleep on a futex; so whoever listens
 * sleeps for {@value #SLICE_MILLIS} ms at most before it looks.
 */
record Deadline(long deadline, boolean isInterruptible) {
    static final long SLICE_MILLIS = 10;

    /** For as long as it takes. */
    static final Deadline ENDLESS = new Deadline(Futex.NEVER, false);

    /** For as long as nobody interrupts. */
    static final Deadline UNTIL_INTERRUPTED = new Deadline(Futex.NEVER, true);

    /** For a time, and as long as nobody interrupts. */
    static Deadline until(long nanos) {
        long deadline = System.nanoTime() + nanos;
        return new Deadline(deadline < 0 ? Futex.NEVER : deadline, true); // an overflow: in hundreds of years
    }

    /** When the next sleep has to end. */
    long wakeUp() {
        return isInterruptible
                ? Math.min(deadline, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SLICE_MILLIS))
                : deadline;
    }

    private boolean isOver() {
        return deadline != Futex.NEVER && System.nanoTime() >= deadline;
    }

    /** Whether a thread that has come so far waits no longer. */
    boolean isAtItsEnd() {
        return isOver() || (isInterruptible && Thread.currentThread().isInterrupted());
    }

    /** Throws if the thread listens and is interrupted. */
    void checkInterrupt() throws InterruptedException {
        if (isInterruptible && Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
