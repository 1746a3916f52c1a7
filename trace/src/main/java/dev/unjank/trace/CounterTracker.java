package dev.unjank.trace;

/** Collects the values of counters, in order of time. */
final class CounterTracker {
    /** Words of a value: when it was reported, and what. */
    private static final int WORD_BITS = 1;

    /** The values of each track. */
    private final RowStore values;

    private final IntLog names = new IntLog();
    private final IntLog upids = new IntLog();
    private final IntLog utids = new IntLog();
    private final IntLog units = new IntLog();
    private final IntLog cpus = new IntLog();
    private final PairMap trackOf = new PairMap();
    private final PairMap trackOfCpu = new PairMap();

    CounterTracker(BlockPool pool) {
        values = new RowStore(pool, WORD_BITS);
    }

    void add(long ts, int upid, int name, long value) {
        int track = trackOf.get(upid, name);
        if (track < 0) {
            track = newTrack(upid, -1, name, -1);
            trackOf.put(upid, name, track);
        }
        add(ts, track, value);
    }

    void addOfCpu(long ts, int cpu, int name, long value) {
        int track = trackOfCpu.get(cpu, name);
        if (track < 0) {
            track = newTrack(-1, -1, cpu, name, -1);
            trackOfCpu.put(cpu, name, track);
        }
        add(ts, track, value);
    }

    /** A track of its own, whatever others of its name there are. */
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

    void add(long ts, int track, long value) {
        values.set(values.add(track), ts, value);
    }

    Counters counters(Strings strings) {
        int tracks = names.size();
        int[] firsts = values.settle(tracks);
        LongColumn.Filler times = new LongColumn.Filler(firsts[tracks]);
        LongColumn.Filler reported = new LongColumn.Filler(firsts[tracks]);
        long[] read = values.arrayForRun();
        for (int track = 0; track < tracks; track++) {
            for (int run = values.firstRun(track); run != RowStore.NONE; run = values.nextRun(run)) {
                int words = values.read(run, track, read) << WORD_BITS;
                for (int at = 0; at < words; at += 1 << WORD_BITS) {
                    times.add(read[at]);
                    reported.add(read[at + 1]);
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
