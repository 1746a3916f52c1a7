package dev.unjank.trace;

/** Collects the values of counters, in order of time. */
final class CounterTracker {
    private final LongLog times = new LongLog();
    private final LongLog values = new LongLog();
    private final IntLog tracks = new IntLog();

    private final IntLog names = new IntLog();
    private final IntLog upids = new IntLog();
    private final IntLog utids = new IntLog();
    private final IntLog units = new IntLog();
    private final PairMap trackOf = new PairMap();

    void add(long ts, int upid, int name, long value) {
        int track = trackOf.get(upid, name);
        if (track < 0) {
            track = newTrack(upid, -1, name, -1);
            trackOf.put(upid, name, track);
        }
        add(ts, track, value);
    }

    /** A track of its own, whatever others of its name there are. */
    int newTrack(int upid, int utid, int name, int unit) {
        names.add(name);
        upids.add(upid);
        utids.add(utid);
        units.add(unit);
        return names.size() - 1;
    }

    void add(long ts, int track, long value) {
        times.add(ts);
        values.add(value);
        tracks.add(track);
    }

    Counters counters(Strings strings) {
        int rows = times.size();
        int trackCount = names.size();
        int[] counts = new int[trackCount];
        for (int row = 0; row < rows; row++) {
            counts[tracks.get(row)]++;
        }
        int[] firsts = SchedTracker.offsets(counts, trackCount);
        int[] next = firsts.clone();
        int[] targets = new int[rows];
        for (int row = 0; row < rows; row++) {
            targets[row] = next[tracks.get(row)]++;
        }
        return new Counters(
                strings,
                names.toArray(),
                upids.toArray(),
                utids.toArray(),
                units.toArray(),
                firsts,
                new Counters.Columns(times.moveTo(targets), values.moveTo(targets)));
    }
}
