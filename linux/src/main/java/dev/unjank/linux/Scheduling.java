package dev.unjank.linux;

/**
 * How the kernel schedules a thread.
 *
 * @param policy one of the constants, or a number that this class has no name for
 * @param nice from -20, the best, to 19; of ordinary policies
 * @param priority from 1 to 99, the best; of the real-time policies {@link #FIFO} and {@link #ROUND_ROBIN}
 * @param isResetOnFork whether threads that it starts begin with the usual scheduling
 */
public record Scheduling(int policy, int nice, int priority, boolean isResetOnFork) {
    /** The usual policy. */
    public static final int OTHER = 0;

    /** Real time: runs until it waits. */
    public static final int FIFO = 1;

    /** Real time: takes turns with those of its priority. */
    public static final int ROUND_ROBIN = 2;

    /** Runs before all others until its budget is used up. */
    public static final int DEADLINE = 6;

    /** The best nice value. */
    public static final int BEST_NICE = -20;

    private static final int REAL_TIME_BASE = 1_000;
    private static final int DEADLINE_RANK = 2_000;

    /**
     * An ordinary thread that has the best nice value, and passes it on to nobody.
     *
     * @return the scheduling
     */
    public static Scheduling bestNice() {
        return new Scheduling(OTHER, BEST_NICE, 0, true);
    }

    /**
     * A real-time thread that takes turns, and passes this on to nobody.
     *
     * @param priority from 1 to 99
     * @return the scheduling
     */
    public static Scheduling realTime(int priority) {
        return new Scheduling(ROUND_ROBIN, 0, priority, true);
    }

    /**
     * Whether the policy is one of real time.
     *
     * @return true of fifo, round robin and deadline
     */
    public boolean isRealTime() {
        return policy == FIFO || policy == ROUND_ROBIN || policy == DEADLINE;
    }

    /**
     * Whether the kernel would run a thread with this rather than one with another.
     *
     * @param other the other
     * @return true if this is strictly better
     */
    public boolean isBetterThan(Scheduling other) {
        return rank() > other.rank();
    }

    private int rank() {
        return switch (policy) {
            case DEADLINE -> DEADLINE_RANK;
            case FIFO, ROUND_ROBIN -> REAL_TIME_BASE + priority;
            case OTHER -> -nice;
            default -> -100; // batch and idle: worse than any nice value
        };
    }
}
