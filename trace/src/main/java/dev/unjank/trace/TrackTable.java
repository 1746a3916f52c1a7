package dev.unjank.trace;

/** Tracks that an importer has named, and what they turn out to be when their first event comes. */
final class TrackTable {
    private final IntColumn tids = new IntColumn();
    private final IntColumn pids = new IntColumn();

    /** The slice tracker's number of a track; -1 before its first event. */
    private final IntColumn tracks = new IntColumn();

    private final IntColumn owners = new IntColumn();

    int add(int tid, int pid) {
        tids.add(tid);
        pids.add(pid);
        tracks.add(-1);
        owners.add(Slices.NOBODY);
        return tids.size() - 1;
    }

    int size() {
        return tids.size();
    }

    /** Whose slices a track has: a utid, ~upid or {@link Slices#NOBODY}. */
    int owner(int number, ProcessTracker processes) {
        if (tracks.get(number) < 0) {
            int tid = tids.get(number);
            int pid = pids.get(number);
            if (tid >= 0) {
                owners.set(number, pid > 0 ? processes.thread(tid, pid) : processes.thread(tid));
            } else if (pid >= 0) {
                owners.set(number, ~processes.process(pid));
            }
        }
        return owners.get(number);
    }

    int track(int number, SliceTracker slices) {
        int track = tracks.get(number);
        if (track < 0) {
            track = slices.newTrack();
            tracks.set(number, track);
        }
        return track;
    }
}
