package dev.unjank.locks;

import java.util.concurrent.Callable;

/**
 * The importance of a thread, by which the locks of this package order their waiters.
 *
 * {@snippet :
 * Importance.VIP.run(() -> {
 *     lock.lock(); // before every ordinary waiter
 *     ...
 * });
 * }
 *
 * <p>The importance is a property of the thread: a thread started inside {@link #run}, or a task passed to another
 * thread, begins as ordinary. A thread of a real-time scheduling class counts as {@link #REAL_TIME} without a
 * declaration, at the latest 10 ms after it has joined the class.
 */
public enum Importance {
    /** The default of every thread. */
    ORDINARY,

    /**
     * For threads whose result a user or another thread waits for: drawing a screen, answering a request, playing a
     * sound.
     */
    VIP,

    /**
     * For threads in one of the kernel's real-time classes, or that are to be treated like them. Declaring this
     * importance changes the thread's place in the queue, not its scheduling class.
     */
    REAL_TIME;

    private static final ThreadLocal<Importance> DECLARED = ThreadLocal.withInitial(() -> ORDINARY);

    /**
     * Runs a task with this importance and restores the thread's former importance afterwards, even after an exception.
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
     * Runs a task with this importance and returns its result.
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
            DECLARED.remove(); // do not leave an entry in a pooled thread
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

    /** Returns the higher importance. */
    Importance or(Importance other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** Returns whether this is higher than {@link #ORDINARY}. */
    boolean isImportant() {
        return this != ORDINARY;
    }
}
