package dev.unjank.looper.spi;

import dev.unjank.looper.Message;

/**
 * The time by which a looper decides what is due.
 *
 * <p>A clock never goes backwards and shows at least one millisecond from the start, because 0 is not a time for a
 * message but means <i>front of the queue</i>. It is read by any thread.
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
     * Returns the same time in the unit of {@link Message#getWhen()}.
     *
     * @return whole milliseconds, rounded down
     */
    default long uptimeMillis() {
        return Math.floorDiv(nanos(), 1_000_000L);
    }

    /**
     * Returns the clock of this machine. Where {@link System#nanoTime()} counts from the start of the machine, as it
     * does on Linux, so does this clock, and its values can be laid over a trace recorded by the kernel.
     *
     * @return the clock that loopers use unless told otherwise
     */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
