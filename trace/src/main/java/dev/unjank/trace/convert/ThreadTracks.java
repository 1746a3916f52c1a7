package dev.unjank.trace.convert;

import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.TrackWriter;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * The tracks of threads. On the wall clock a thread with a reused tid has a track of its own, since there are no kernel
 * events that distinguish it from its predecessor.
 */
final class ThreadTracks {
    private final Trace trace;
    private final BitSet successors = new BitSet();

    ThreadTracks(Trace trace, boolean onWallClock) {
        this.trace = trace;
        Set<Integer> tids = new HashSet<>();
        for (int utid = 1; onWallClock && utid < trace.threads().size(); utid++) {
            successors.set(utid, !tids.add(trace.threads().tid(utid)));
        }
    }

    long of(int utid) {
        int upid = trace.threads().upid(utid);
        int pid = upid < 0 ? 0 : trace.processes().pid(upid);
        long first = TrackWriter.ofThread(pid, trace.threads().tid(utid));
        return successors.get(utid) ? TrackWriter.ofCounter(first, "thread " + utid) : first;
    }
}
