package dev.unjank.trace.model;

/**
 * Periods in which threads had inherited priorities: the kernel boosts the owner of a mutex with priority inheritance
 * to the priority of its most important waiter. Scheduler events show the boosted priority meanwhile. A boost to a
 * real-time priority, below 100, takes effect; one to 100 to 139 does not, since the weight of a normal thread
 * depends on its nice value only.
 *
 * <p>The rows of a thread are adjacent, {@link #first} to {@link #end}, in time order.
 */
public final class InheritedPriorities {
    private final int[] firsts;
    private final long[] starts;
    private final long[] ends;
    private final int[] basePriority;
    private final int[] boostedPriority;

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param firsts the first row of each thread, by utid, and the number of rows behind them
     * @param starts the starts of the boosts, in ns
     * @param ends their ends, in ns
     * @param base the priorities of the threads themselves
     * @param boosted the inherited priorities
     */
    public InheritedPriorities(int[] firsts, long[] starts, long[] ends, int[] base, int[] boosted) {
        this.firsts = firsts;
        this.starts = starts;
        this.ends = ends;
        this.basePriority = base;
        this.boostedPriority = boosted;
    }

    /** {@return the number of rows, for all threads} */
    public int size() {
        return starts.length;
    }

    /**
     * {@return the first row of a thread; equal to {@link #end} if the thread was never boosted}
     *
     * @param utid a thread
     */
    public int first(int utid) {
        return firsts[utid];
    }

    /**
     * {@return one past the last row of a thread}
     *
     * @param utid a thread
     */
    public int end(int utid) {
        return firsts[utid + 1];
    }

    /**
     * {@return the row of a thread at a time, -1 if the thread had its own priority then}
     *
     * @param utid a thread
     * @param ts the time in ns
     */
    public int at(int utid, long ts) {
        for (int row = first(utid); row < end(utid) && starts[row] <= ts; row++) {
            if (ts < ends[row]) {
                return row;
            }
        }
        return -1;
    }

    /**
     * {@return the start of a boost in ns; the trace's start if it was before that}
     *
     * @param row a row
     */
    public long ts(int row) {
        return starts[row];
    }

    /**
     * {@return the end of a boost, or the start of the next one, in ns; the trace's end if the thread was still
     * boosted}
     *
     * @param row a row
     */
    public long endNs(int row) {
        return ends[row];
    }

    /**
     * {@return the kernel's number for the priority of the thread without the boost}
     *
     * @param row a row
     */
    public int basePriority(int row) {
        return basePriority[row];
    }

    /**
     * {@return the kernel's number for the boosted priority}
     *
     * @param row a row
     */
    public int boostedPriority(int row) {
        return boostedPriority[row];
    }
}
