package dev.unjank.trace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pairs beginnings with ends, in order of time. Each track is a stack: a slice that begins while another is open lies
 * within it, and an end closes the innermost. An end without a beginning belongs to a slice from before the trace.
 *
 * <p>Operations come in batches of two longs each: the time, and what {@link #pack} makes.
 */
final class SliceTracker {
    static final int NEW_TRACK = 0;
    static final int BEGIN = 1;
    static final int BEGIN_ALONE = 2;
    static final int END = 3;
    static final int INSTANT = 4;

    // What is said of the slice that the operation before was about. A flow's id is in the place of the time.
    static final int CATEGORY = 5;
    static final int FLOW = 6;
    static final int MESSAGE = 7;

    private static final int OPERATION_SHIFT = 61;
    private static final int TRACK_MASK = (1 << 29) - 1;

    private static final int NONE = -1;
    private static final long OPEN = -1;

    /** Deeper slices are dropped: no program nests so deep, but one that forgets its ends does. */
    private static final int MAX_DEPTH = 512;

    private final LongLog times = new LongLog();
    private final LongLog durations = new LongLog();
    private final IntLog names = new IntLog();
    private final IntLog parents = new IntLog();
    private final IntLog owners = new IntLog();
    private final IntLog depths = new IntLog();

    // Per track: whose it is, its innermost open slice, and how many beginnings were dropped within that.
    private int[] ownerOfTrack = new int[256];
    private int[] tops = new int[256];
    private int[] dropped = new int[256];
    private long droppedSlices;

    private final SliceNotes notes = new SliceNotes();

    /** The slice that the last operation was about, NONE if it was about none that is kept. */
    private int last = NONE;

    // What finish() needs, and its result.
    private @Nullable Strings strings;
    private int threads;
    private long traceEnd;
    private @Nullable Slices slices;

    /** An operation on a track, with the name of a slice or, for a new track, its owner. */
    static long pack(int operation, int track, int nameOrOwner) {
        return (long) operation << OPERATION_SHIFT | (long) track << 32 | (nameOrOwner & 0xffffffffL);
    }

    /** Takes a batch of operations. */
    void apply(long[] batch, int length) {
        for (int i = 0; i < length; i += 2) {
            long ts = batch[i];
            long packed = batch[i + 1];
            int track = (int) (packed >>> 32) & TRACK_MASK;
            int name = (int) packed;
            switch ((int) (packed >>> OPERATION_SHIFT)) {
                case BEGIN -> begin(ts, track, name);
                case END -> end(ts, track);
                case BEGIN_ALONE -> {
                    if (tops[track] == NONE) {
                        begin(ts, track, name);
                    }
                }
                case CATEGORY, FLOW, MESSAGE -> {
                    if (last != NONE) {
                        notes.add(last, (int) (packed >>> OPERATION_SHIFT), ts, name);
                    }
                }
                case INSTANT -> {
                    int parent = tops[track];
                    last = times.size();
                    add(ts, 0, name, parent, ownerOfTrack[track], parent < 0 ? 0 : depths.get(parent) + 1);
                }
                default -> newTrack(track, name);
            }
        }
    }

    private void newTrack(int track, int owner) {
        if (track >= tops.length) {
            int capacity = Math.max(track + 1, tops.length * 2);
            ownerOfTrack = Arrays.copyOf(ownerOfTrack, capacity);
            tops = Arrays.copyOf(tops, capacity);
            dropped = Arrays.copyOf(dropped, capacity);
        }
        ownerOfTrack[track] = owner;
        tops[track] = NONE;
    }

    private void begin(long ts, int track, int name) {
        int parent = tops[track];
        int depth = parent < 0 ? 0 : depths.get(parent) + 1;
        if (depth == MAX_DEPTH) {
            dropped[track]++;
            droppedSlices++;
            last = NONE;
            return;
        }
        last = times.size();
        tops[track] = last;
        add(ts, OPEN, name, parent, ownerOfTrack[track], depth);
    }

    private void end(long ts, int track) {
        if (dropped[track] > 0) {
            dropped[track]--;
            last = NONE;
            return;
        }
        int row = tops[track];
        last = row;
        if (row >= 0) {
            durations.set(row, ts - times.get(row));
            tops[track] = parents.get(row);
        }
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

    /** What slices have beside times and names; finished with the table. */
    SliceNotes notes() {
        return notes;
    }

    /** The table, once it is finished. */
    Slices slices() {
        if (slices == null) {
            throw new IllegalStateException("not finished");
        }
        return slices;
    }

    /** Notes what {@link #finish} needs. */
    void finishWith(Strings allStrings, int threadCount, long end) {
        strings = allStrings;
        threads = threadCount;
        traceEnd = end;
    }

    /** Makes the table. */
    void finish() {
        if (strings == null) {
            throw new IllegalStateException("finishWith() comes first");
        }
        int rows = times.size();
        int[] counts = new int[threads + 1];
        for (int row = 0; row < rows; row++) {
            counts[group(row)]++;
        }
        int[] next = SchedTracker.offsets(counts, threads + 1);
        int[] firsts = Arrays.copyOf(next, threads + 1);
        int[] targets = new int[rows];
        for (int row = 0; row < rows; row++) {
            targets[row] = next[group(row)]++;
        }
        short[] newDepths = new short[rows];
        for (int row = 0; row < rows; row++) {
            int parent = parents.get(row);
            parents.set(row, parent < 0 ? parent : targets[parent]);
            newDepths[targets[row]] = (short) depths.get(row);
        }
        notes.finish(targets);
        slices = new Slices(
                strings,
                firsts,
                new Slices.Columns(
                        times.moveTo(targets),
                        durations.moveTo(targets),
                        names.moveTo(targets),
                        parents.moveTo(targets),
                        owners.moveTo(targets),
                        ShortColumn.of(newDepths),
                        notes.categories()),
                traceEnd);
    }

    /** A thread's slices form a group of their own, all others one more. */
    private int group(int row) {
        int owner = owners.get(row);
        return owner < 0 ? threads : owner;
    }
}
