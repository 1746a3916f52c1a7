package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.model.Slices;

/**
 * The tracks that an importer has numbered, and the tracks of the slice tracker that they become at their first
 * event.
 */
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

    /** Appends the tracks of another table, which have no events yet. */
    public void append(SliceTrackTable other) {
        for (int row = 0; row < other.size(); row++) {
            add(other.tids.get(row), other.pids.get(row));
        }
    }

    public int size() {
        return tids.size();
    }

    /** The slice tracker's number of a track, assigned at its first event. */
    public int track(int number, ProcessTracker processes, SliceOperations slices) {
        int track = tracks.get(number);
        if (track < 0) {
            int tid = tids.get(number);
            int pid = pids.get(number);
            int owner = Slices.NO_OWNER;
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
