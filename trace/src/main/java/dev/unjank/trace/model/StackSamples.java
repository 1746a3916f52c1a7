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

    /**
     * The number of samples.
     *
     * @return the count, for all threads
     */
    public int size() {
        return columns.ts.size();
    }

    /**
     * The columns of this table, for reading many rows at once.
     *
     * @return the columns, all of {@link #size} rows
     */
    public Columns columns() {
        return columns;
    }

    /**
     * The first sample of a thread.
     *
     * @param utid a thread
     * @return the row; equal to {@link #end} if the thread was never sampled
     */
    public int first(int utid) {
        return firsts[utid];
    }

    /**
     * The end of a thread's samples.
     *
     * @param utid a thread
     * @return one past its last row
     */
    public int end(int utid) {
        return firsts[utid + 1];
    }

    /**
     * The first sample of a thread at or after a time.
     *
     * @param utid a thread
     * @param ts the time in ns
     * @return the first row that is not before {@code ts}; {@link #end} if there is none
     */
    public int from(int utid, long ts) {
        return ts == Long.MIN_VALUE ? first(utid) : columns.ts.lastNotAbove(ts - 1, first(utid), end(utid)) + 1;
    }

    /**
     * The time of a sample.
     *
     * @param row a sample
     * @return the time in ns
     */
    public long ts(int row) {
        return columns.ts.get(row);
    }

    /**
     * The thread of a sample.
     *
     * @param row a sample
     * @return the thread's utid
     */
    public int utid(int row) {
        return columns.utid.get(row);
    }

    /**
     * The CPU of a sample.
     *
     * @param row a sample
     * @return the CPU, -1 if unknown
     */
    public int cpu(int row) {
        return columns.cpu.get(row);
    }

    /**
     * The stack of a sample.
     *
     * @param row a sample
     * @return the innermost call, a row of {@link Callstacks}, -1 if unknown
     */
    public int callstack(int row) {
        return columns.callstack.get(row);
    }

    /**
     * Whether the thread was executing code.
     *
     * @param row a sample
     * @return true if it was running or runnable, false if it was waiting
     */
    public boolean isRunning(int row) {
        return columns.running.get(row) != 0;
    }
}
