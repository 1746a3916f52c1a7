package dev.unjank.looper.spi;

/**
 * Puts a looper to sleep and wakes it. One waker serves one looper.
 *
 * <p>A wake-up is sticky: {@link #wake()} before {@link #await(long)} makes that await return at once, however many
 * wakes preceded it. Everything written before a call of {@code wake} is visible after the {@code await} that it ended.
 */
public interface Waker {
    /** The timeout of an {@link #await(long)} that only a wake-up ends. */
    long FOREVER = Long.MAX_VALUE;

    /**
     * Blocks until {@link #wake()} has been called since the last await returned, or the timeout has elapsed, or
     * spuriously. An interrupt neither ends it nor is lost. Called only by the thread that runs the loop.
     *
     * @param nanos the longest time to block, in nanoseconds, at least 1, or {@link #FOREVER}
     */
    void await(long nanos);

    /** Ends the current or the next {@link #await(long)}. Called by any thread, never after {@link #close()}. */
    void wake();

    /**
     * Frees the waker's resources. Called once, by any thread, after the loop has ended, when no thread is inside
     * {@link #wake()} and none will call it again.
     */
    default void close() {}

    /**
     * Returns a waker that sleeps in {@link java.util.concurrent.locks.LockSupport#park(Object)}. It takes no Java
     * monitor and no lock of {@code java.util.concurrent}; the virtual machine's own unpark holds a native mutex for
     * the duration of a system call.
     *
     * @return a new waker
     */
    static Waker parking() {
        return new ParkingWaker();
    }
}
