package dev.unjank.trace.model;

/**
 * The times during which threads had priorities that were lent to them: the kernel lends a thread that holds a mutex with
 * priority inheritance the priority of the most important one that waits for it. The scheduler's events show the lent priority
 * then. Whether that helps is another matter: a lent real-time priority, below 100, does; one from 100 to 139 does not, since
 * the weight of an ordinary thread comes from its nice value alone.
 *
 * <p>The rows of a thread lie together, {@link #first} to {@link #end}, in order of time.
 */
public final class InheritedPriorities {
    private final int[] firsts;
    private final long[] starts;
    private final long[] ends;
    private final int[] basePriority;
    private final int[] boostedPriority;

    public InheritedPriorities(int[] firsts, long[] starts, long[] ends, int[] own, int[] lent) {
        this.firsts = firsts;
        this.starts = starts;
        this.ends = ends;
        this.basePriority = own;
        this.boostedPriority = lent;
    }

    /**
     * How many rows there are.
     *
     * @return the count, over all threads
     */
    public int size() {
        return starts.length;
    }

    /**
     * The first row of a thread.
     *
     * @param utid a thread
     * @return the row; equal to {@link #end} if the thread was never lent a priority
     */
    public int first(int utid) {
        return firsts[utid];
    }

    /**
     * The end of a thread's rows.
     *
     * @param utid a thread
     * @return one past its last row
     */
    public int end(int utid) {
        return firsts[utid + 1];
    }

    /**
     * The row of a thread that covers a moment.
     *
     * @param utid a thread
     * @param ts the time in ns
     * @return the row, -1 if the thread had its own priority then
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
     * When a thread was lent a priority.
     *
     * @param row a row
     * @return the time in ns; the trace's start if it was before that
     */
    public long ts(int row) {
        return starts[row];
    }

    /**
     * When it gave the priority back, or was lent another.
     *
     * @param row a row
     * @return the time in ns; the trace's end if it still had it then
     */
    public long endNs(int row) {
        return ends[row];
    }

    /**
     * The priority that the thread had before and after.
     *
     * @param row a row
     * @return the kernel's number
     */
    public int basePriority(int row) {
        return basePriority[row];
    }

    /**
     * The priority that it was lent.
     *
     * @param row a row
     * @return the kernel's number
     */
    public int boostedPriority(int row) {
        return boostedPriority[row];
    }
}
