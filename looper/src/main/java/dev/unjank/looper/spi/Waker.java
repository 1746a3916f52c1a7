package dev.unjank.looper.spi;

/**
 * How a looper sleeps and how it is woken. One waker serves one looper.
 *
 * <p>A wake-up sticks: {@link #wake()} before {@link #await(long)} makes that await return at once, however many wakes
 * came before it. Everything written before a call of {@code wake} is visible after the {@code await} that it ended.
 */
public interface Waker {
    /** The timeout of an {@link #await(long)} that only a wake-up ends. */
    long FOREVER = Long.MAX_VALUE;

    /**
     * Blocks until {@link #wake()} has been called since the last await returned, or the time is over, or for no
     * reason at all. An interrupt does not end it and is not lost. Called only by the thread that runs the loop.
     *
     * @param nanos the longest time to block, in nanoseconds, at least 1, or {@link #FOREVER}
     */
    void await(long nanos);

    /** Ends the present or the next {@link #await(long)}. Called by any thread, never after {@link #close()}. */
    void wake();

    /**
     * Frees what the waker holds. Called once, by any thread, when the loop has ended and no thread is inside
     * {@link #wake()} or ever will be.
     */
    default void close() {}

    /**
     * Returns a waker that sleeps in {@link java.util.concurrent.locks.LockSupport#park(Object)}. It takes no Java
     * monitor and no lock of {@code java.util.concurrent}; the virtual machine's own unpark holds a native mutex for
     * the length of a system call.
     *
     * @return a new waker
     */
    static Waker parking() {
        return new ParkingWaker();
    }
}
