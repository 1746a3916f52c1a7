package dev.unjank.trace.model;

/**
 * The runs of each CPU: which thread ran when, {@link #first} to {@link #end}, in time order. Each run lasts until
 * the next switch on that CPU, the last one until the end of the trace. An idle CPU runs {@link Threads#IDLE}.
 */
public final class CpuRuns {
    private final int[] firsts;
    private final Columns columns;
    private final LongColumn times;
    private final long traceEnd;

    /**
     * The columns of runs; a row number is the run's.
     *
     * @param ts start times in ns
     * @param utid the thread that ran, {@link Threads#IDLE} for an idle CPU
     * @param priority the kernel's number, {@link ThreadStates#NO_PRIORITY} if unknown
     */
    public record Columns(LongColumn ts, IntColumn utid, ShortColumn priority) {}

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param firsts the first row of each CPU, by number, and the number of rows behind them
     * @param columns the columns
     * @param traceEnd the trace's end in ns
     */
    public CpuRuns(int[] firsts, Columns columns, long traceEnd) {
        this.firsts = firsts;
        this.columns = columns;
        this.times = columns.ts;
        this.traceEnd = traceEnd;
    }

    /** {@return the greatest CPU number with a run, plus one; a CPU below it may have no runs} */
    public int cpus() {
        return firsts.length - 1;
    }

    /** {@return the number of runs, over all CPUs} */
    public int size() {
        return times.size();
    }

    /** {@return the columns of this table, all of {@link #size} rows, for reading many rows at once} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the first run of a CPU; equal to {@link #end} if the CPU has none}
     *
     * @param cpu a CPU
     */
    public int first(int cpu) {
        return firsts[cpu];
    }

    /**
     * {@return one past the last run of a CPU}
     *
     * @param cpu a CPU
     */
    public int end(int cpu) {
        return firsts[cpu + 1];
    }

    /**
     * {@return the run of a CPU with {@code ts(row) <= ts < ts(row) + dur(row)}, -1 if there is none}
     *
     * @param cpu a CPU
     * @param ts the time in ns
     */
    public int at(int cpu, long ts) {
        int first = first(cpu);
        int end = end(cpu);
        int row = times.lastNotAbove(ts, first, end);
        return row >= first && (row + 1 < end || ts < traceEnd) ? row : -1;
    }

    /**
     * {@return the start time of a run in ns}
     *
     * @param row a row
     */
    public long ts(int row) {
        return times.get(row);
    }

    /**
     * {@return the duration of a run in ns; for the last run of a CPU until the trace's end}
     *
     * @param cpu the CPU of the row
     * @param row a row
     */
    public long dur(int cpu, int row) {
        return (row + 1 < end(cpu) ? times.get(row + 1) : traceEnd) - times.get(row);
    }

    /**
     * {@return the utid of the thread that ran, {@link Threads#IDLE} for none}
     *
     * @param row a row
     */
    public int utid(int row) {
        return columns.utid.get(row);
    }

    /**
     * {@return the kernel's priority of the thread when it was put on the CPU, smaller is better, {@link
     * ThreadStates#NO_PRIORITY} if unknown}
     *
     * @param row a row
     */
    public int priority(int row) {
        return columns.priority.get(row);
    }
}
