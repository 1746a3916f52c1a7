package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.model.Slices;

/** Tracks that an importer has named, and what they turn out to be when their first event comes. */
public final class SliceTrackTable {
    private final IntList tids = new IntList();
    private final IntList pids = new IntList();

    /** The slice tracker's number of a track; -1 before its first event. */
    private final IntList tracks = new IntList();

    public int add(int tid, int pid) {
        tids.add(tid);
        pids.add(pid);
        tracks.add(-1);
        return tids.size() - 1;
    }

    /** Adds the tracks of another table, of which no events have come, behind these. */
    public void append(SliceTrackTable other) {
        for (int row = 0; row < other.size(); row++) {
            add(other.tids.get(row), other.pids.get(row));
        }
    }

    public int size() {
        return tids.size();
    }

    /** The slice tracker's number of a track, made when its first event comes. */
    public int track(int number, ProcessTracker processes, SliceOperations slices) {
        int track = tracks.get(number);
        if (track < 0) {
            int tid = tids.get(number);
            int pid = pids.get(number);
            int owner = Slices.NOBODY;
            if (tid >= 0) {
                owner = pid > 0 ? processes.thread(tid, pid) : processes.thread(tid);
            } else if (pid >= 0) {
                owner = ~processes.process(pid);
            }
            track = slices.newTrack(owner);
            tracks.set(number, track);
        }
        return track;
    }
}
