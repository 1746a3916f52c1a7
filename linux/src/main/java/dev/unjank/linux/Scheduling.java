package dev.unjank.linux;

/**
 * The scheduling policy and priority of a thread in the kernel.
 *
 * @param policy one of the constants, or another SCHED_* value
 * @param nice from -20 (highest priority) to 19; for ordinary policies
 * @param priority from 1 to 99 (highest priority); for {@link #FIFO} and {@link #ROUND_ROBIN}
 * @param isResetOnFork whether threads started by this thread begin with the default scheduling
 */
public record Scheduling(int policy, int nice, int priority, boolean isResetOnFork) {
    /** The default policy. */
    public static final int OTHER = 0;

    /** Real-time policy: a thread runs until it blocks. */
    public static final int FIFO = 1;

    /** Real-time policy: threads of the same priority take turns. */
    public static final int ROUND_ROBIN = 2;

    /** Real-time policy with deadlines: a thread runs before all others until its run time is used up. */
    public static final int DEADLINE = 6;

    /** The nice value with the highest priority. */
    public static final int BEST_NICE = -20;

    private static final int REAL_TIME_BASE = 1_000;
    private static final int DEADLINE_RANK = 2_000;

    /**
     * Returns the scheduling of an ordinary thread with the highest-priority nice value, reset on fork.
     *
     * @return the scheduling
     */
    public static Scheduling bestNice() {
        return new Scheduling(OTHER, BEST_NICE, 0, true);
    }

    /**
     * Returns the scheduling of a round-robin real-time thread, reset on fork.
     *
     * @param priority from 1 to 99
     * @return the scheduling
     */
    public static Scheduling realTime(int priority) {
        return new Scheduling(ROUND_ROBIN, 0, priority, true);
    }

    /**
     * Returns whether the policy is a real-time policy.
     *
     * @return true for FIFO, round robin and deadline
     */
    public boolean isRealTime() {
        return policy == FIFO || policy == ROUND_ROBIN || policy == DEADLINE;
    }

    /**
     * Returns whether the kernel would prefer a thread with this scheduling to a thread with another scheduling.
     *
     * @param other the other scheduling
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
            default -> -100; // batch and idle: after all nice values, since a woken thread of another class runs first
        };
    }
}
