package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.IntList;

/**
 * The counter tracks that an importer has numbered, and the tracks of the counter tracker that they become at their
 * first value.
 */
public final class CounterTrackTable {
    private final IntList tids = new IntList();
    private final IntList pids = new IntList();
    private final IntList names = new IntList();
    private final IntList units = new IntList();

    /** The counter tracker's number of a track; -1 before its first value. */
    private final IntList tracks = new IntList();

    public int add(int tid, int pid, int name, int unit) {
        tids.add(tid);
        pids.add(pid);
        names.add(name);
        units.add(unit);
        tracks.add(-1);
        return tids.size() - 1;
    }

    /** Appends the tracks of another table, which have no values yet. */
    public void append(CounterTrackTable other, IdRemapping numbers) {
        for (int row = 0; row < other.size(); row++) {
            add(
                    other.tids.get(row),
                    other.pids.get(row),
                    numbers.name(other.names.get(row)),
                    numbers.name(other.units.get(row)));
        }
    }

    public int size() {
        return tids.size();
    }

    /** The counter tracker's number of a track, assigned at its first value. */
    public int track(int number, ProcessTracker processes, CounterTracker counters) {
        int track = tracks.get(number);
        if (track < 0) {
            int tid = tids.get(number);
            int pid = pids.get(number);
            int utid = -1;
            int upid = -1;
            if (tid >= 0) {
                utid = pid > 0 ? processes.thread(tid, pid) : processes.thread(tid);
            }
            if (pid >= 0) {
                upid = processes.process(pid);
            }
            track = counters.newTrack(upid, utid, names.get(number), units.get(number));
            tracks.set(number, track);
        }
        return track;
    }
}
