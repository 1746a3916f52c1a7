package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.FilledArrays;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.collections.IntPairMap;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Strings;
import java.util.concurrent.Executor;

/**
 * Numbers the tracks and passes operations on slices from the dispatcher to the {@link SliceTracker}, which needs no
 * other events.
 */
public final class SliceOperations {
    private final SliceTracker tracker;
    private final OperationBatches batches;
    private int tracks;
    private int[] trackOfThread = new int[0];
    private final IntPairMap asyncTracks = new IntPairMap();

    public SliceOperations(BlockPool pool, Executor executor) {
        tracker = new SliceTracker(pool);
        batches = new OperationBatches(tracker::apply, executor);
    }

    /** The track of a thread's slices. */
    public int threadTrack(int utid) {
        if (utid >= trackOfThread.length) {
            int capacity = Math.max(utid + 1, Math.max(64, trackOfThread.length * 2));
            trackOfThread = FilledArrays.grown(trackOfThread, capacity, IntPairMap.NONE);
        }
        int track = trackOfThread[utid];
        if (track < 0) {
            track = newTrack(utid);
            trackOfThread[utid] = track;
        }
        return track;
    }

    /** A track of a process's asynchronous slices: one per name and cookie. */
    public int asyncTrack(int upid, int name, long cookie) {
        long key = IntPair.pack(upid, name);
        int track = asyncTracks.get(key, cookie);
        if (track < 0) {
            track = newTrack(~upid, name);
            asyncTracks.put(key, cookie, track);
        }
        return track;
    }

    /** A track with the owner utid, ~upid or {@link Slices#NO_OWNER}. */
    int newTrack(int owner) {
        return newTrack(owner, -1);
    }

    /** As {@link #newTrack(int)}, with a name; -1 for none. */
    int newTrack(int owner, int name) {
        int track = tracks++;
        add(0, SliceOperation.NEW_TRACK, track, owner);
        if (name >= 0 && owner < 0) {
            add(0, SliceOperation.TRACK_NAME, track, name);
        }
        return track;
    }

    /** Begins a slice, nested in the open one. */
    public void begin(long ts, int track, int name) {
        add(ts, SliceOperation.BEGIN, track, name);
    }

    /** Begins a slice unless one is open. */
    public void beginUnlessOpen(long ts, int track, int name) {
        add(ts, SliceOperation.BEGIN_UNLESS_OPEN, track, name);
    }

    /** Ends the innermost open slice, if there is one. */
    public void end(long ts, int track) {
        add(ts, SliceOperation.END, track, 0);
    }

    /** Adds a mark, nested in the open slice. */
    public void instant(long ts, int track, int name) {
        add(ts, SliceOperation.INSTANT, track, name);
    }

    /** Sets the category of the slice of the last operation on the track. */
    public void category(int track, int category) {
        add(0, SliceOperation.CATEGORY, track, category);
    }

    /** Adds a flow to the slice of the last operation on the track. */
    public void flow(int track, long flow, boolean ends) {
        add(flow, ends ? SliceOperation.FLOW_END : SliceOperation.FLOW, track, 0);
    }

    /** Adds a queue event to the slice of the last operation on the track. */
    public void message(int track, int row) {
        add(0, SliceOperation.MESSAGE, track, row);
    }

    /** Adds args to the slice of the last operation on the track. */
    public void args(int track, int firstRow, int count) {
        add(count, SliceOperation.ARGS, track, firstRow);
    }

    private void add(long ts, int operation, int track, int value) {
        batches.add(ts, SliceOperation.pack(operation, track, value));
    }

    /** Starts to build the table; {@link #awaitTracker} returns it. */
    public void finish(Strings strings, int threads, long traceEnd) {
        batches.finish(() -> tracker.finish(strings, threads, traceEnd));
    }

    /** Waits for the finished tracker. */
    public SliceTracker awaitTracker() {
        batches.awaitEnd();
        return tracker;
    }
}
