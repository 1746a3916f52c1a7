package dev.unjank.trace.model;

/**
 * Numbers that change over time, as programs reported them: queue lengths, heap sizes, flags. The values of one track lie
 * together, {@link #first} to {@link #end}, in order of time; each holds until the next. A track is one name in one process or of
 * one CPU (the kernel's {@value #CPU_FREQUENCY}, in kHz), or, of programs with Perfetto's own library, what they call a track:
 * there may be several of one name.
 */
public final class Counters {
    /** What the rate of a CPU's clock is called, as in Perfetto's tables. */
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
     * @param ts when each was reported, ns
     * @param value what was reported
     */
    public record Columns(LongColumn ts, LongColumn value) {}

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
     * How many tracks there are.
     *
     * @return the count
     */
    public int tracks() {
        return names.length;
    }

    /**
     * How many values there are.
     *
     * @return the count, over all tracks
     */
    public int size() {
        return columns.ts.size();
    }

    /**
     * The columns of this table, for those who read many rows at once.
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
     * The CPU of which a track tells.
     *
     * @param track a track
     * @return its number, -1 if it tells of none
     */
    public int cpu(int track) {
        return cpus[track];
    }

    /**
     * What a track counts.
     *
     * @param track a track
     * @return "count", "ns", "bytes" or what the program says; empty if it does not say
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
     * The row of a track that holds at a moment.
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
     * When a value was reported.
     *
     * @param row a row
     * @return the time in ns
     */
    public long ts(int row) {
        return columns.ts.get(row);
    }

    /**
     * What was reported, in the track's unit.
     *
     * @param row a row
     * @return the value; one with a fraction is rounded
     */
    public long value(int row) {
        return columns.value.get(row);
    }
}
