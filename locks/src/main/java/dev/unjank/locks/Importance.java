package dev.unjank.locks;

import java.util.concurrent.Callable;

/**
 * How much it matters that a thread does not wait: what the locks of this package order their waiters by.
 *
 * {@snippet :
 * Importance.VIP.run(() -> {
 *     lock.lock(); // before every ordinary waiter
 *     ...
 * });
 * }
 *
 * <p>It is a thread's own: a thread that is started inside {@link #run}, and a task that is handed to another thread, begin as
 * ordinary. A thread whose scheduling class is a real-time one counts as {@link #REAL_TIME} without a declaration, from 10 ms after it became
 * one at the latest.
 */
public enum Importance {
    /** What every thread is that nobody has said anything about. */
    ORDINARY,

    /** Somebody waits for what the thread does: it draws a screen, answers a request, plays a sound. */
    VIP,

    /**
     * The thread is of one of the kernel's real-time classes, or asks to be treated so. Declaring it changes a place in the queue,
     * not the scheduling class.
     */
    REAL_TIME;

    private static final ThreadLocal<Importance> DECLARED = ThreadLocal.withInitial(() -> ORDINARY);

    /**
     * Does something with this importance, and has the thread's former one again afterwards, however it ends.
     *
     * @param task what to do
     */
    public void run(Runnable task) {
        Importance before = DECLARED.get();
        DECLARED.set(this);
        try {
            task.run();
        } finally {
            restore(before);
        }
    }

    /**
     * Does something with this importance, for a result.
     *
     * @param <T> the kind of result
     * @param task what to do
     * @return what it gives
     * @throws Exception what it throws
     */
    public <T> T call(Callable<T> task) throws Exception {
        Importance before = DECLARED.get();
        DECLARED.set(this);
        try {
            return task.call();
        } finally {
            restore(before);
        }
    }

    private static void restore(Importance before) {
        if (before == ORDINARY) {
            DECLARED.remove(); // nothing stays behind in a thread of a pool
        } else {
            DECLARED.set(before);
        }
    }

    /**
     * The importance that the calling thread has declared.
     *
     * @return {@link #ORDINARY} outside {@link #run} and {@link #call}
     */
    public static Importance declared() {
        return DECLARED.get();
    }

    /** The higher of two. */
    Importance or(Importance other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** Whether it is more than ordinary. */
    boolean isImportant() {
        return this != ORDINARY;
    }
}
