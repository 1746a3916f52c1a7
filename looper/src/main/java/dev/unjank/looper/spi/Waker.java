package dev.unjank.looper.spi;

/**
 * A mechanism that puts a looper to sleep and wakes it. Each looper has its own waker.
 *
 * <p>A wake-up is sticky: {@link #wake()} before {@link #await(long)} makes that await return at once; several wakes
 * before an await count as one. Everything written before a call of {@code wake} is visible after the {@code await}
 * that it ends.
 */
public interface Waker {
    /** The timeout that never elapses: only a wake-up ends such an {@link #await(long)}. */
    long FOREVER = Long.MAX_VALUE;

    /**
     * Blocks until {@link #wake()} has been called since the last await returned, or the timeout has elapsed; may
     * return spuriously. An interrupt does not end the wait, and the interrupt flag stays set. Called only by the
     * thread that runs the loop.
     *
     * @param nanos the maximum time to block, in nanoseconds, at least 1, or {@link #FOREVER}
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
     * Returns a waker that sleeps in {@link java.util.concurrent.locks.LockSupport#park(Object)}. It takes neither a
     * Java monitor nor a lock of {@code java.util.concurrent}; the JVM's unpark holds a native mutex for the duration
     * of a system call.
     *
     * @return a new waker
     */
    static Waker parking() {
        return new ParkingWaker();
    }
}
