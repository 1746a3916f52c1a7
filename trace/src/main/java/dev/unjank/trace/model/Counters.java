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

    /**
     * The number of tracks.
     *
     * @return the count
     */
    public int tracks() {
        return names.length;
    }

    /**
     * The number of values.
     *
     * @return the count, over all tracks
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
     * The name of a track.
     *
     * @param track a track
     * @return its name
     */
    public String name(int track) {
        return strings.get(names[track]);
    }

    /**
     * The process that reports a track.
     *
     * @param track a track
     * @return its upid, -1 if unknown
     */
    public int upid(int track) {
        return upids[track];
    }

    /**
     * The thread that a track belongs to.
     *
     * @param track a track
     * @return its utid, -1 if it belongs to no thread
     */
    public int utid(int track) {
        return utids[track];
    }

    /**
     * The CPU of a track.
     *
     * @param track a track
     * @return its number, -1 if it belongs to no CPU
     */
    public int cpu(int track) {
        return cpus[track];
    }

    /**
     * The unit of a track.
     *
     * @param track a track
     * @return "count", "ns", "bytes" or a unit of the program; empty if unknown
     */
    public String unit(int track) {
        int unit = units[track];
        return unit < 0 ? "" : strings.get(unit);
    }

    /**
     * The first value of a track.
     *
     * @param track a track
     * @return the row
     */
    public int first(int track) {
        return firsts[track];
    }

    /**
     * The end of a track's values.
     *
     * @param track a track
     * @return one past its last row
     */
    public int end(int track) {
        return firsts[track + 1];
    }

    /**
     * The value of a track at a time.
     *
     * @param track a track
     * @param ts the time in ns
     * @return the last row not after {@code ts}, -1 if there is none
     */
    public int at(int track, long ts) {
        int row = columns.ts.lastNotAbove(ts, first(track), end(track));
        return row >= first(track) ? row : -1;
    }

    /**
     * The time of a value.
     *
     * @param row a row
     * @return the time in ns
     */
    public long ts(int row) {
        return columns.ts.get(row);
    }

    /**
     * A value, in the track's unit.
     *
     * @param row a row
     * @return the value; fractions are rounded
     */
    public long value(int row) {
        return columns.value.get(row);
    }
}
