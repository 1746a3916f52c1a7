package dev.unjank.trace;

/** Collects the values of counters, in order of time. */
final class CounterTracker {
    private final LongColumn times = new LongColumn();
    private final LongColumn values = new LongColumn();
    private final IntColumn tracks = new IntColumn();

    private final IntColumn names = new IntColumn();
    private final IntColumn upids = new IntColumn();
    private final PairMap trackOf = new PairMap();

    void add(long ts, int upid, int name, long value) {
        int track = trackOf.get(upid, name);
        if (track < 0) {
            track = names.size();
            names.add(name);
            upids.add(upid);
            trackOf.put(upid, name, track);
        }
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
                strings, names.toArray(), upids.toArray(), firsts, times.moveTo(targets), values.moveTo(targets));
    }
}
