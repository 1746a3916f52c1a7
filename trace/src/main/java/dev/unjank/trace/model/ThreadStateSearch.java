package dev.unjank.trace.model;

/**
 * Finds rows of {@link ThreadStates} by state. It reads many rows at once and keeps the last ones, so walking the
 * states of a thread is many times faster than single reads. Not thread-safe.
 */
public final class ThreadStateSearch {
    private static final int ROWS_AT_ONCE = 1 << 8;

    private final IntColumn infos;
    private final int[] read;

    // The rows in the array.
    private int from;
    private int to;

    /**
     * Creates a search.
     *
     * @param states the table
     */
    public ThreadStateSearch(ThreadStates states) {
        infos = states.columns().info();
        read = new int[ROWS_AT_ONCE];
    }

    /**
     * {@return a set of states, for {@link #next}}
     *
     * @param states the states
     */
    public static int setOf(SchedState... states) {
        int set = 0;
        for (SchedState state : states) {
            set |= 1 << state.code();
        }
        return set;
    }

    /**
     * {@return the first row of [first, end) in one of several states, {@code end} if there is none}
     *
     * @param first the start of the range
     * @param end the end of the range
     * @param states from {@link #setOf}
     */
    public int next(int first, int end, int states) {
        int row = first;
        while (row < end) {
            if (row < from || row >= to) {
                from = row;
                to = row + infos.read(row, read);
            }
            int last = Math.min(end, to);
            for (; row < last; row++) {
                if ((states >>> ThreadStateBits.code(read[row - from]) & 1) != 0) {
                    return row;
                }
            }
        }
        return end;
    }
}
