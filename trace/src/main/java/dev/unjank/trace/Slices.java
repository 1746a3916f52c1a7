package dev.unjank.trace;

/**
 * Named intervals: what threads said they were doing, and asynchronous work of processes. The slices of a thread lie
 * together, {@link #first} to {@link #end}, in order of time with an enclosing slice before those within it; they nest and
 * never overlap otherwise. Behind those of all threads, from {@link #firstAsync}, come the slices that belong to no thread,
 * in order of time; these may overlap.
 *
 * <p>A mark without duration is a slice of 0 ns.
 */
public final class Slices {
    private final Strings strings;
    private final int[] firsts;
    private final long[] times;
    private final long[] durations;
    private final int[] names;
    private final int[] parents;
    private final int[] owners;
    private final short[] depths;

    /** Empty if no slice has one. */
    private final int[] categories;

    private final long traceEnd;

    /** Durations are -1 for open slices; owners are utids, or ~upid for a process's slice, or {@link #NOBODY}. */
    Slices(
            Strings strings,
            int[] firsts,
            long[] times,
            long[] durations,
            int[] names,
            int[] parents,
            int[] owners,
            short[] depths,
            int[] categories,
            long traceEnd) {
        this.strings = strings;
        this.firsts = firsts;
        this.times = times;
        this.durations = durations;
        this.names = names;
        this.parents = parents;
        this.owners = owners;
        this.depths = depths;
        this.categories = categories;
        this.traceEnd = traceEnd;
    }

    static final int NOBODY = Integer.MIN_VALUE;

    /** How many rows {@link #innermostAt} goes back for a slice that another source has open; more would be slow. */
    private static final int MAX_LOOK_BACK = 256;

    /**
     * How many slices there are.
     *
     * @return the count, threads' and others'
     */
    public int size() {
        return times.length;
    }

    /**
     * The first slice of a thread.
     *
     * @param utid a thread
     * @return the row; equal to {@link #end} if the thread has none
     */
    public int first(int utid) {
        return firsts[utid];
    }

    /**
     * The end of a thread's slices.
     *
     * @param utid a thread
     * @return one past its last row
     */
    public int end(int utid) {
        return firsts[utid + 1];
    }

    /**
     * The first slice that belongs to no thread.
     *
     * @return the row; equal to {@link #size} if there is none
     */
    public int firstAsync() {
        return firsts[firsts.length - 1];
    }

    /**
     * The innermost slice of a thread that covers a moment.
     *
     * @param utid a thread
     * @param ts when
     * @return the row with {@code ts(row) <= ts < ts(row) + dur(row)}, -1 if there is none
     */
    public int innermostAt(int utid, long ts) {
        int first = first(utid);
        int row = ThreadStates.lastNotAfter(times, first, end(utid), ts);
        if (row < first) {
            return -1;
        }
        while (row >= 0 && endNs(row) <= ts) {
            row = parents[row] >= 0 ? parents[row] : previousRoot(row, first, ts);
        }
        return row;
    }

    /** Of slices on top level only the last begun can cover a moment, unless two sources wrote to the same thread. */
    private int previousRoot(int row, int first, long ts) {
        for (int before = row - 1; before >= Math.max(first, row - MAX_LOOK_BACK); before--) {
            if (depths[before] == 0) {
                return endNs(before) > ts ? before : -1;
            }
        }
        return -1;
    }

    /**
     * When a slice began.
     *
     * @param row a row
     * @return the time in ns
     */
    public long ts(int row) {
        return times[row];
    }

    /**
     * How long a slice lasted.
     *
     * @param row a row
     * @return ns, 0 for a mark; for an open slice until the trace's end
     */
    public long dur(int row) {
        long duration = durations[row];
        return duration < 0 ? traceEnd - times[row] : duration;
    }

    /**
     * When a slice ended.
     *
     * @param row a row
     * @return the time in ns; for an open slice the trace's end
     */
    public long endNs(int row) {
        return times[row] + dur(row);
    }

    /**
     * Whether a slice had not ended when the trace did.
     *
     * @param row a row
     * @return true if its end is not known
     */
    public boolean isOpen(int row) {
        return durations[row] < 0;
    }

    /**
     * The text of a slice.
     *
     * @param row a row
     * @return its name, empty if it has none
     */
    public String name(int row) {
        return strings.get(names[row]);
    }

    /**
     * The text of a slice as an id: rows of equal names have equal ids.
     *
     * @param row a row
     * @return an id in the trace's {@link Strings}
     */
    public int nameId(int row) {
        return names[row];
    }

    /**
     * The category of a slice, as programs with Perfetto's own library give it. Of several it is the first.
     *
     * @param row a row
     * @return the category, empty if it has none
     */
    public String category(int row) {
        int category = categories.length == 0 ? -1 : categories[row];
        return category < 0 ? "" : strings.get(category);
    }

    /**
     * How many slices enclose this one.
     *
     * @param row a row
     * @return 0 for an outermost slice
     */
    public int depth(int row) {
        return depths[row];
    }

    /**
     * The slice directly around this one.
     *
     * @param row a row
     * @return the row of the parent, smaller than this one; -1 for an outermost slice
     */
    public int parent(int row) {
        return parents[row];
    }

    /**
     * The thread of a slice.
     *
     * @param row a row
     * @return its utid, -1 for a slice that belongs to no thread
     */
    public int utid(int row) {
        return Math.max(owners[row], -1);
    }

    /**
     * The process of a slice that belongs to no thread.
     *
     * @param row a row
     * @return its upid; -1 if it is a thread's or the trace does not say
     */
    public int upid(int row) {
        int owner = owners[row];
        return owner < 0 && owner != NOBODY ? ~owner : -1;
    }
}
