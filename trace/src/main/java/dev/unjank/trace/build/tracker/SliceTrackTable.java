package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.model.Slices;

/**
 * The tracks that an importer has numbered, and the tracks of the slice tracker that they become at their first
 * event.
 */
public final class SliceTrackTable {
    private final IntList tids = new IntList();
    private final IntList pids = new IntList();
    private final IntList names = new IntList();

    /** The slice tracker's number of a track; -1 before its first event. */
    private final IntList tracks = new IntList();

    public int add(int tid, int pid, int name) {
        tids.add(tid);
        pids.add(pid);
        names.add(name);
        tracks.add(-1);
        return tids.size() - 1;
    }

    public void rename(int number, int name) {
        names.set(number, name);
    }

    /** Appends the tracks of another table, which have no events yet. */
    public void append(SliceTrackTable other, IdRemapping numbers) {
        for (int row = 0; row < other.size(); row++) {
            add(other.tids.get(row), other.pids.get(row), numbers.name(other.names.get(row)));
        }
    }

    public int size() {
        return tids.size();
    }

    /**
     * The slice tracker's number of a track, assigned at its first event. A track without a name has that of its first
     * event, which may be -1.
     */
    public int track(int number, int nameOfEvent, ProcessTracker processes, SliceOperations slices) {
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
            track = slices.newTrack(owner, names.get(number) < 0 ? nameOfEvent : names.get(number));
            tracks.set(number, track);
        }
        return track;
    }
}
