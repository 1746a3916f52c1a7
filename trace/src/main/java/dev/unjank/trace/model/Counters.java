package dev.unjank.trace.model;

/**
 * Values of counters over time: queue lengths, heap sizes, CPU frequencies. The values of a track are adjacent,
 * {@link #first} to {@link #end}, in time order; each is valid until the next. A track is one name in one process or
 * on one CPU (the kernel's {@value #CPU_FREQUENCY}, in kHz), or a track of Perfetto's library: several tracks may
 * have the same name.
 */
public final class Counters {
    /** The name of the frequency of a CPU, as in Perfetto's tables. */
    public static final String CPU_FREQUENCY = "cpufreq";

    /** The name of the idle state of a CPU; 4294967295 while it is not idle. */
    public static final String CPU_IDLE = "cpuidle";

    private final Strings strings;
    private final int[] names;
    private final int[] upids;
    private final int[] utids;
    private final int[] cpus;
    private final int[] units;
    private final int[] firsts;
    private final Columns columns;

    /**
     * The columns of values; a row number is the value's.
     *
     * @param ts the times in ns
     * @param value the values
     */
    public record Columns(LongColumn ts, LongColumn value) {}

    /**
     * Creates the table from its columns; arrays are not copied.
     *
     * @param strings the strings of the trace
     * @param names the id of the name of each track
     * @param upids their processes, -1 for none
     * @param utids their threads, -1 for none
     * @param cpus their CPUs, -1 for none
     * @param units the ids of their units, -1 if unknown
     * @param firsts the first row of each track, and the number of rows behind them
     * @param columns the columns
     */
    public Counters(
            Strings strings,
            int[] names,
            int[] upids,
            int[] utids,
            int[] cpus,
            int[] units,
            int[] firsts,
            Columns columns) {
        this.strings = strings;
        this.names = names;
        this.upids = upids;
        this.utids = utids;
        this.cpus = cpus;
        this.units = units;
        this.firsts = firsts;
        this.columns = columns;
    }

    /** {@return the number of tracks} */
    public int tracks() {
        return names.length;
    }

    /** {@return the number of values, over all tracks} */
    public int size() {
        return columns.ts.size();
    }

    /** {@return the columns of this table, all of {@link #size} rows, for reading many rows at once} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the name of a track}
     *
     * @param track a track
     */
    public String name(int track) {
        return strings.get(names[track]);
    }

    /**
     * {@return the upid of the process that reports a track, -1 if unknown}
     *
     * @param track a track
     */
    public int upid(int track) {
        return upids[track];
    }

    /**
     * {@return the utid of the thread that a track belongs to, -1 if it belongs to no thread}
     *
     * @param track a track
     */
    public int utid(int track) {
        return utids[track];
    }

    /**
     * {@return the number of a track's CPU, -1 if it belongs to no CPU}
     *
     * @param track a track
     */
    public int cpu(int track) {
        return cpus[track];
    }

    /**
     * {@return the unit of a track: "count", "ns", "bytes" or a unit of the program; empty if unknown}
     *
     * @param track a track
     */
    public String unit(int track) {
        int unit = units[track];
        return unit < 0 ? "" : strings.get(unit);
    }

    /**
     * {@return the first row of a track}
     *
     * @param track a track
     */
    public int first(int track) {
        return firsts[track];
    }

    /**
     * {@return one past the last row of a track}
     *
     * @param track a track
     */
    public int end(int track) {
        return firsts[track + 1];
    }

    /**
     * {@return the last row of a track not after {@code ts}, -1 if there is none}
     *
     * @param track a track
     * @param ts the time in ns
     */
    public int at(int track, long ts) {
        int row = columns.ts.lastNotAbove(ts, first(track), end(track));
        return row >= first(track) ? row : -1;
    }

    /**
     * {@return the time of a value in ns}
     *
     * @param row a row
     */
    public long ts(int row) {
        return columns.ts.get(row);
    }

    /**
     * {@return a value, in the track's unit; fractions are rounded}
     *
     * @param row a row
     */
    public long value(int row) {
        return columns.value.get(row);
    }
}
