package dev.unjank.trace;

import java.util.Arrays;

/**
 * Pairs beginnings with ends, in order of time. Each track is a stack: a slice that begins while another is open lies
 * within it, and an end closes the innermost. An end without a beginning belongs to a slice from before the trace.
 */
final class SliceTracker {
    private static final int NONE = -1;
    private static final long OPEN = -1;

    /** Deeper slices are dropped: no program nests so deep, but one that forgets its ends does. */
    private static final int MAX_DEPTH = 512;

    private final LongColumn times = new LongColumn();
    private final LongColumn durations = new LongColumn();
    private final IntColumn names = new IntColumn();
    private final IntColumn parents = new IntColumn();
    private final IntColumn owners = new IntColumn();
    private final IntColumn depths = new IntColumn();

    // Per track: its innermost open slice, and how many begins were dropped above it.
    private int[] tops = new int[256];
    private int[] dropped = new int[256];
    private int tracks;

    private int[] trackOfThread = new int[0];
    private final PairMap asyncTracks = new PairMap();
    private long droppedSlices;

    /** The track of a thread's own slices. */
    int threadTrack(int utid) {
        if (utid >= trackOfThread.length) {
            int from = trackOfThread.length;
            trackOfThread = Arrays.copyOf(trackOfThread, Math.max(utid + 1, Math.max(64, from * 2)));
            Arrays.fill(trackOfThread, from, trackOfThread.length, NONE);
        }
        int track = trackOfThread[utid];
        if (track < 0) {
            track = newTrack();
            trackOfThread[utid] = track;
        }
        return track;
    }

    /** A track of a process's asynchronous work: one per name and cookie. */
    int asyncTrack(int upid, int name, long cookie) {
        long key = EventKind.pair(upid, name);
        int track = asyncTracks.get(key, cookie);
        if (track < 0) {
            track = newTrack();
            asyncTracks.put(key, cookie, track);
        }
        return track;
    }

    int newTrack() {
        int track = tracks++;
        if (track == tops.length) {
            tops = Arrays.copyOf(tops, track * 2);
            dropped = Arrays.copyOf(dropped, track * 2);
        }
        tops[track] = NONE;
        return track;
    }

    boolean isOpen(int track) {
        return tops[track] != NONE;
    }

    /** Opens a slice; the owner is a utid, ~upid or {@link Slices#NOBODY}. */
    void begin(long ts, int track, int owner, int name) {
        int parent = tops[track];
        int depth = parent < 0 ? 0 : depths.get(parent) + 1;
        if (depth == MAX_DEPTH) {
            dropped[track]++;
            droppedSlices++;
            return;
        }
        tops[track] = times.size();
        add(ts, OPEN, name, parent, owner, depth);
    }

    /** Closes the innermost open slice, if there is one. */
    void end(long ts, int track) {
        if (dropped[track] > 0) {
            dropped[track]--;
            return;
        }
        int row = tops[track];
        if (row >= 0) {
            durations.set(row, ts - times.get(row));
            tops[track] = parents.get(row);
        }
    }

    /** A mark without duration within whatever is open. */
    void instant(long ts, int track, int owner, int name) {
        int parent = tops[track];
        add(ts, 0, name, parent, owner, parent < 0 ? 0 : depths.get(parent) + 1);
    }

    private void add(long ts, long duration, int name, int parent, int owner, int depth) {
        times.add(ts);
        durations.add(duration);
        names.add(name);
        parents.add(parent);
        owners.add(owner);
        depths.add(depth);
    }

    /** How many slices were nested too deep to be kept. */
    long droppedSlices() {
        return droppedSlices;
    }

    Slices slices(Strings strings, int threads, long traceEnd) {
        int rows = times.size();
        int[] counts = new int[threads + 1];
        for (int row = 0; row < rows; row++) {
            counts[group(row, threads)]++;
        }
        int[] next = SchedTracker.offsets(counts, threads + 1);
        int[] firsts = Arrays.copyOf(next, threads + 1);
        int[] targets = new int[rows];
        for (int row = 0; row < rows; row++) {
            targets[row] = next[group(row, threads)]++;
        }
        int[] newParents = parents.moveTo(targets);
        for (int row = 0; row < rows; row++) {
            int parent = newParents[row];
            newParents[row] = parent < 0 ? parent : targets[parent];
        }
        int[] wideDepths = depths.moveTo(targets);
        short[] newDepths = new short[rows];
        for (int row = 0; row < rows; row++) {
            newDepths[row] = (short) wideDepths[row];
        }
        return new Slices(
                strings,
                firsts,
                times.moveTo(targets),
                durations.moveTo(targets),
                names.moveTo(targets),
                newParents,
                owners.moveTo(targets),
                newDepths,
                traceEnd);
    }

    /** A thread's slices form a group of their own, all others one more. */
    private int group(int row, int threads) {
        int owner = owners.get(row);
        return owner < 0 ? threads : owner;
    }
}
