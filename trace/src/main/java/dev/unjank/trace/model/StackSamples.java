package dev.unjank.trace.model;

/**
 * The samples of profilers: what threads were doing at single points in time. The samples of a thread are adjacent,
 * {@link #first} to {@link #end}, in time order. Nothing is known about the time between two samples.
 */
public final class StackSamples {
    private final int[] firsts;
    private final Columns columns;

    /**
     * The columns of samples; a row number is the sample's.
     *
     * @param ts the times in ns
     * @param utid the threads
     * @param cpu the CPU, -1 if unknown
     * @param callstack the innermost call, a row of {@link Callstacks}, -1 if unknown
     * @param running 1 if the thread was running, 0 if it was waiting
     */
    public record Columns(LongColumn ts, IntColumn utid, ShortColumn cpu, IntColumn callstack, ShortColumn running) {}

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param firsts the first row of each thread, by utid, and the number of rows behind them
     * @param columns the columns
     */
    public StackSamples(int[] firsts, Columns columns) {
        this.firsts = firsts;
        this.columns = columns;
    }

    /** {@return the number of samples, for all threads} */
    public int size() {
        return columns.ts.size();
    }

    /** {@return the columns of this table, all of {@link #size} rows, for reading many rows at once} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the first sample of a thread; equal to {@link #end} if the thread was never sampled}
     *
     * @param utid a thread
     */
    public int first(int utid) {
        return firsts[utid];
    }

    /**
     * {@return one past the last sample of a thread}
     *
     * @param utid a thread
     */
    public int end(int utid) {
        return firsts[utid + 1];
    }

    /**
     * {@return the first sample of a thread that is not before {@code ts}; {@link #end} if there is none}
     *
     * @param utid a thread
     * @param ts the time in ns
     */
    public int from(int utid, long ts) {
        return ts == Long.MIN_VALUE ? first(utid) : columns.ts.lastNotAbove(ts - 1, first(utid), end(utid)) + 1;
    }

    /**
     * {@return the time of a sample in ns}
     *
     * @param row a sample
     */
    public long ts(int row) {
        return columns.ts.get(row);
    }

    /**
     * {@return the utid of a sample's thread}
     *
     * @param row a sample
     */
    public int utid(int row) {
        return columns.utid.get(row);
    }

    /**
     * {@return the CPU of a sample, -1 if unknown}
     *
     * @param row a sample
     */
    public int cpu(int row) {
        return columns.cpu.get(row);
    }

    /**
     * {@return the innermost call of a sample, a row of {@link Callstacks}, -1 if unknown}
     *
     * @param row a sample
     */
    public int callstack(int row) {
        return columns.callstack.get(row);
    }

    /**
     * {@return whether the thread was running or runnable; otherwise it was waiting}
     *
     * @param row a sample
     */
    public boolean isRunning(int row) {
        return columns.running.get(row) != 0;
    }
}
