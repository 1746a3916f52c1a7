package dev.unjank.looper.spi;

/**
 * The clock of a looper, which determines when messages are due.
 *
 * <p>A clock never goes backwards, and always shows at least one millisecond, because a message time of 0 means
 * <i>front of the queue</i>. Any thread may read it.
 */
@FunctionalInterface
public interface Clock {
    /**
     * Returns the time since an arbitrary but fixed origin.
     *
     * @return nanoseconds, at least one million
     */
    long nanos();

    /**
     * Returns the same time in the unit of {@link dev.unjank.looper.Message#getWhen()}.
     *
     * @return whole milliseconds, rounded down
     */
    default long uptimeMillis() {
        return Math.floorDiv(nanos(), 1_000_000L);
    }

    /**
     * Returns the clock of this machine. If {@link System#nanoTime()} counts from the boot of the machine, as on Linux,
     * this clock does, too, and its values can be compared with the times in a kernel trace.
     *
     * @return the default clock of loopers
     */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
