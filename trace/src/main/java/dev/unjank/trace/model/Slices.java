package dev.unjank.trace.model;

/**
 * Slices: named intervals of threads, and asynchronous ones of processes. The slices of a thread are adjacent, {@link
 * #first} to {@link #end}, in time order with an enclosing slice before those within it; they nest and do not overlap
 * otherwise. They are followed, from {@link #firstAsync}, by the slices without a thread, in time order; these may
 * overlap.
 *
 * <p>A mark is a slice of 0 ns.
 */
public final class Slices {
    /** The {@link Columns#owner} of a slice with neither a known thread nor a known process. */
    public static final int NO_OWNER = Integer.MIN_VALUE;

    /**
     * The number of rows that {@link #innermostAt} goes back to find an open slice of another source; more would be
     * slow.
     */
    private static final int MAX_LOOK_BACK = 256;

    private final Strings strings;
    private final int[] firsts;
    private final Columns columns;
    private final int[] trackNames;
    private final long traceEnd;

    // The columns read most often.
    private final LongColumn times;
    private final LongColumn durations;

    /**
     * The columns of slices; a row number is the slice's.
     *
     * @param ts start times in ns
     * @param dur durations in ns; -1 for slices that had not ended when the trace did
     * @param name ids of their names in {@link Strings}
     * @param parent the rows of the enclosing slices, -1 for an outermost slice
     * @param owner the utid of the thread, or {@code ~upid} of the process for a slice without a thread, or {@link
     *     #NO_OWNER}
     * @param depth the numbers of enclosing slices
     * @param category ids of their categories, -1 for none; without rows if no slice has one
     */
    public record Columns(
            LongColumn ts,
            LongColumn dur,
            IntColumn name,
            IntColumn parent,
            IntColumn owner,
            ShortColumn depth,
            IntColumn category) {}

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param strings the strings of the trace
     * @param firsts the first row of each thread, by utid, and behind them that of the slices without a thread
     * @param columns the columns
     * @param trackNames the ids of the names of the tracks of the slices without a thread, -1 if they have none
     * @param traceEnd the trace's end in ns
     */
    public Slices(Strings strings, int[] firsts, Columns columns, int[] trackNames, long traceEnd) {
        this.strings = strings;
        this.firsts = firsts;
        this.columns = columns;
        this.trackNames = trackNames;
        this.traceEnd = traceEnd;
        times = columns.ts;
        durations = columns.dur;
    }

    /** {@return the number of slices, with and without a thread} */
    public int size() {
        return times.size();
    }

    /** {@return the columns of {@link #size} rows, for reading many rows at once; that of categories may be empty} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the first slice of a thread, equal to {@link #end} if the thread has none}
     *
     * @param utid a thread
     */
    public int first(int utid) {
        return firsts[utid];
    }

    /**
     * {@return one past the last slice of a thread}
     *
     * @param utid a thread
     */
    public int end(int utid) {
        return firsts[utid + 1];
    }

    /** {@return the first slice without a thread; equal to {@link #size} if there is none} */
    public int firstAsync() {
        return firsts[firsts.length - 1];
    }

    /**
     * {@return the id of the name of the track of a slice without a thread; -1 if it has none}
     *
     * @param row a row from {@link #firstAsync}
     */
    public int trackNameId(int row) {
        return trackNames[row - firstAsync()];
    }

    /**
     * {@return the innermost slice of a thread with {@code ts(row) <= ts < ts(row) + dur(row)}, -1 if there is none}
     *
     * @param utid a thread
     * @param ts the time in ns
     */
    public int innermostAt(int utid, long ts) {
        int first = first(utid);
        int row = times.lastNotAbove(ts, first, end(utid));
        if (row < first) {
            return -1;
        }
        while (row >= 0 && endNs(row) <= ts) {
            int parent = parent(row);
            row = parent >= 0 ? parent : previousRoot(row, first, ts);
        }
        return row;
    }

    /**
     * {@return the first slice of a thread that begins after a time; {@link #end} if there is none}
     *
     * @param utid a thread
     * @param ts the time in ns
     */
    public int firstAfter(int utid, long ts) {
        return times.lastNotAbove(ts, first(utid), end(utid)) + 1;
    }

    /**
     * Of top-level slices only the last one to begin can cover the time, unless two sources wrote to the same thread.
     */
    private int previousRoot(int row, int first, long ts) {
        for (int before = row - 1; before >= Math.max(first, row - MAX_LOOK_BACK); before--) {
            if (depth(before) == 0) {
                return endNs(before) > ts ? before : -1;
            }
        }
        return -1;
    }

    /**
     * {@return the start time of a slice in ns}
     *
     * @param row a row
     */
    public long ts(int row) {
        return times.get(row);
    }

    /**
     * {@return the duration of a slice in ns, 0 for a mark; for an open slice until the trace's end}
     *
     * @param row a row
     */
    public long dur(int row) {
        long duration = durations.get(row);
        return duration < 0 ? traceEnd - times.get(row) : duration;
    }

    /**
     * {@return the end time of a slice in ns; for an open slice the trace's end}
     *
     * @param row a row
     */
    public long endNs(int row) {
        return times.get(row) + dur(row);
    }

    /**
     * {@return whether a slice had not ended when the trace did}
     *
     * @param row a row
     */
    public boolean isOpen(int row) {
        return durations.get(row) < 0;
    }

    /**
     * {@return the name of a slice, empty if it has none}
     *
     * @param row a row
     */
    public String name(int row) {
        return strings.get(nameId(row));
    }

    /**
     * {@return the id of a slice's name in the trace's {@link Strings}: rows of equal names have equal ids}
     *
     * @param row a row
     */
    public int nameId(int row) {
        return columns.name.get(row);
    }

    /**
     * {@return the category of a slice, from Perfetto's library; the first if there are several, empty if it has none}
     *
     * @param row a row
     */
    public String category(int row) {
        int category = columns.category.size() == 0 ? -1 : columns.category.get(row);
        return category < 0 ? "" : strings.get(category);
    }

    /**
     * {@return the number of enclosing slices, 0 for an outermost slice}
     *
     * @param row a row
     */
    public int depth(int row) {
        return columns.depth.get(row);
    }

    /**
     * {@return the row of the enclosing slice, smaller than this one; -1 for an outermost slice}
     *
     * @param row a row
     */
    public int parent(int row) {
        return columns.parent.get(row);
    }

    /**
     * {@return the utid of a slice's thread, -1 for a slice without a thread}
     *
     * @param row a row
     */
    public int utid(int row) {
        return Math.max(columns.owner.get(row), -1);
    }

    /**
     * {@return the upid of the process of a slice without a thread; -1 if it has a thread or the process is unknown}
     *
     * @param row a row
     */
    public int upid(int row) {
        int owner = columns.owner.get(row);
        return owner < 0 && owner != NO_OWNER ? ~owner : -1;
    }
}
