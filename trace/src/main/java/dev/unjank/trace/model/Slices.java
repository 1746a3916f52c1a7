package dev.unjank.trace.model;

/**
 * Named intervals: what threads said they were doing, and asynchronous work of processes. The slices of a thread lie
 * together, {@link #first} to {@link #end}, in order of time with an enclosing slice before those within it; they nest and
 * never overlap otherwise. Behind those of all threads, from {@link #firstAsync}, come the slices that belong to no thread,
 * in order of time; these may overlap.
 *
 * <p>A mark without duration is a slice of 0 ns.
 */
public final class Slices {
    /** The owner of a slice of which the trace does not say whose it is; see {@link Columns#owner}. */
    public static final int NOBODY = Integer.MIN_VALUE;

    /** How many rows {@link #innermostAt} goes back for a slice that another source has open; more would be slow. */
    private static final int MAX_LOOK_BACK = 256;

    private final Strings strings;
    private final int[] firsts;
    private final Columns columns;
    private final long traceEnd;

    // The columns that are asked most.
    private final LongColumn times;
    private final LongColumn durations;

    /**
     * The columns of slices; a row number is the slice's.
     *
     * @param ts start times in ns
     * @param dur how long each lasted, ns; -1 for one that had not ended when the trace did
     * @param name ids of their texts in {@link Strings}
     * @param parent the rows of the slices around them, -1 for an outermost slice
     * @param owner whose each is: a utid, or {@code ~upid} for a slice of a process and no thread of it, or {@link #NOBODY}
     * @param depth how many slices enclose each
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

    public Slices(Strings strings, int[] firsts, Columns columns, long traceEnd) {
        this.strings = strings;
        this.firsts = firsts;
        this.columns = columns;
        this.traceEnd = traceEnd;
        times = columns.ts;
        durations = columns.dur;
    }

    /**
     * How many slices there are.
     *
     * @return the count, threads' and others'
     */
    public int size() {
        return times.size();
    }

    /**
     * The columns of this table, for those who read many rows at once.
     *
     * @return the columns, of {@link #size} rows each, but for the categories
     */
    public Columns columns() {
        return columns;
    }

    /**
     * The first slice of a thread.
     *
     * @param utid a thread
     * @return the row, equal to {@link #end} if the thread has none
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
     * @param ts the time in ns
     * @return the row with {@code ts(row) <= ts < ts(row) + dur(row)}, -1 if there is none
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
     * The first slice of a thread that begins after a moment.
     *
     * @param utid a thread
     * @param ts the moment
     * @return the row; {@link #end} if there is none
     */
    public int firstAfter(int utid, long ts) {
        return times.lastNotAbove(ts, first(utid), end(utid)) + 1;
    }

    /** Of slices on top level only the last begun can cover a moment, unless two sources wrote to the same thread. */
    private int previousRoot(int row, int first, long ts) {
        for (int before = row - 1; before >= Math.max(first, row - MAX_LOOK_BACK); before--) {
            if (depth(before) == 0) {
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
        return times.get(row);
    }

    /**
     * How long a slice lasted.
     *
     * @param row a row
     * @return ns, 0 for a mark; for an open slice until the trace's end
     */
    public long dur(int row) {
        long duration = durations.get(row);
        return duration < 0 ? traceEnd - times.get(row) : duration;
    }

    /**
     * When a slice ended.
     *
     * @param row a row
     * @return the time in ns; for an open slice the trace's end
     */
    public long endNs(int row) {
        return times.get(row) + dur(row);
    }

    /**
     * Whether a slice had not ended when the trace did.
     *
     * @param row a row
     * @return true if its end is not known
     */
    public boolean isOpen(int row) {
        return durations.get(row) < 0;
    }

    /**
     * The text of a slice.
     *
     * @param row a row
     * @return its name, empty if it has none
     */
    public String name(int row) {
        return strings.get(nameId(row));
    }

    /**
     * The text of a slice as an id: rows of equal names have equal ids.
     *
     * @param row a row
     * @return an id in the trace's {@link Strings}
     */
    public int nameId(int row) {
        return columns.name.get(row);
    }

    /**
     * The category of a slice, as programs with Perfetto's own library give it. Of several it is the first.
     *
     * @param row a row
     * @return the category, empty if it has none
     */
    public String category(int row) {
        int category = columns.category.size() == 0 ? -1 : columns.category.get(row);
        return category < 0 ? "" : strings.get(category);
    }

    /**
     * How many slices enclose this one.
     *
     * @param row a row
     * @return 0 for an outermost slice
     */
    public int depth(int row) {
        return columns.depth.get(row);
    }

    /**
     * The slice directly around this one.
     *
     * @param row a row
     * @return the row of the parent, smaller than this one; -1 for an outermost slice
     */
    public int parent(int row) {
        return columns.parent.get(row);
    }

    /**
     * The thread of a slice.
     *
     * @param row a row
     * @return its utid, -1 for a slice that belongs to no thread
     */
    public int utid(int row) {
        return Math.max(columns.owner.get(row), -1);
    }

    /**
     * The process of a slice that belongs to no thread.
     *
     * @param row a row
     * @return its upid; -1 if it is a thread's or the trace does not say
     */
    public int upid(int row) {
        int owner = columns.owner.get(row);
        return owner < 0 && owner != NOBODY ? ~owner : -1;
    }
}
