package dev.unjank.locks;

import java.util.concurrent.Callable;

/**
 * The importance of a thread: the locks of this package order their waiters by it.
 *
 * {@snippet :
 * Importance.VIP.run(() -> {
 *     lock.lock(); // before every ordinary waiter
 *     ...
 * });
 * }
 *
 * <p>It belongs to the thread: a thread started inside {@link #run}, and a task passed to another thread, begin as
 * ordinary. A thread of a real-time scheduling class counts as {@link #REAL_TIME} without a declaration, at the latest
 * 10 ms after it joined the class.
 */
public enum Importance {
    /** The default of every thread. */
    ORDINARY,

    /** Another thread or a user waits for the result: the thread draws a screen, answers a request, plays a sound. */
    VIP,

    /**
     * The thread is of one of the kernel's real-time classes, or is to be treated so. Declaring it changes its place in
     * the queue, not its scheduling class.
     */
    REAL_TIME;

    private static final ThreadLocal<Importance> DECLARED = ThreadLocal.withInitial(() -> ORDINARY);

    /**
     * Runs a task with this importance, and restores the thread's former one afterwards, also after an exception.
     *
     * @param task the task
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
     * Runs a task with this importance, and returns its result.
     *
     * @param <T> the type of the result
     * @param task the task
     * @return its result
     * @throws Exception what the task throws
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
            DECLARED.remove(); // leaves nothing behind in a pooled thread
        } else {
            DECLARED.set(before);
        }
    }

    /**
     * Returns the importance that the calling thread has declared.
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
