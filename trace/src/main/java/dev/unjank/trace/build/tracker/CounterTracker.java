package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.GroupedRows;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.IntPairMap;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.LongColumn;
import dev.unjank.trace.model.Strings;

/** Collects counter values in time order. */
public final class CounterTracker {
    // Words of a value: its time, the value.
    private static final int TIME = 0;
    private static final int VALUE = 1;
    private static final int WORD_BITS = 1;

    /** The values of each track. */
    private final GroupedRows values;

    private final IntList names = new IntList();
    private final IntList upids = new IntList();
    private final IntList utids = new IntList();
    private final IntList units = new IntList();
    private final IntList cpus = new IntList();
    private final IntPairMap trackOf = new IntPairMap();
    private final IntPairMap trackOfCpu = new IntPairMap();

    public CounterTracker(BlockPool pool) {
        values = new GroupedRows(pool, WORD_BITS);
    }

    public void add(long ts, int upid, int name, long value) {
        int track = trackOf.get(upid, name);
        if (track < 0) {
            track = newTrack(upid, -1, name, -1);
            trackOf.put(upid, name, track);
        }
        add(ts, track, value);
    }

    public void addOfCpu(long ts, int cpu, int name, long value) {
        int track = trackOfCpu.get(cpu, name);
        if (track < 0) {
            track = newTrack(-1, -1, cpu, name, -1);
            trackOfCpu.put(cpu, name, track);
        }
        add(ts, track, value);
    }

    /** A new track, even if there are others with the same name. */
    int newTrack(int upid, int utid, int name, int unit) {
        return newTrack(upid, utid, -1, name, unit);
    }

    private int newTrack(int upid, int utid, int cpu, int name, int unit) {
        cpus.add(cpu);
        names.add(name);
        upids.add(upid);
        utids.add(utid);
        units.add(unit);
        return names.size() - 1;
    }

    public void add(long ts, int track, long value) {
        values.set(values.add(track), ts, value);
    }

    public Counters counters(Strings strings) {
        int tracks = names.size();
        int[] firsts = values.settle(tracks);
        LongColumn.Filler times = new LongColumn.Filler(firsts[tracks]);
        LongColumn.Filler reported = new LongColumn.Filler(firsts[tracks]);
        long[] read = values.arrayForRun();
        for (int track = 0; track < tracks; track++) {
            for (int run = values.firstRun(track); run != GroupedRows.NONE; run = values.nextRun(run)) {
                int words = values.read(run, track, read) << WORD_BITS;
                for (int at = 0; at < words; at += 1 << WORD_BITS) {
                    times.add(read[at + TIME]);
                    reported.add(read[at + VALUE]);
                }
            }
        }
        values.release();
        return new Counters(
                strings,
                names.toArray(),
                upids.toArray(),
                utids.toArray(),
                cpus.toArray(),
                units.toArray(),
                firsts,
                new Counters.Columns(times.column(), reported.column()));
    }
}
