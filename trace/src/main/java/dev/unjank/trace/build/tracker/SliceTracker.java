package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.GroupedRows;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.LongColumn;
import dev.unjank.trace.model.ShortColumn;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Strings;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pairs begins with ends of slices, in time order. Each track is a stack: a slice that begins while another is open
 * is nested in it, and an end closes the innermost. An end without a begin belongs to a slice from before the trace.
 *
 * <p>Operations come in batches, each in the layout of {@link SliceOperation}.
 */
public final class SliceTracker {
    private static final int NONE = -1;
    private static final long OPEN = -1;

    /** Deeper slices are dropped: such nesting comes from programs that omit the ends of slices. */
    private static final int MAX_DEPTH = 512;

    // Words of a slice: begin; end; name | place of its parent; owner | depth.
    private static final int TIME = 0;
    private static final int END_TIME = 1;
    private static final int NAME_AND_PARENT = 2;
    private static final int OWNER_AND_DEPTH = 3;
    private static final int WORD_BITS = 2;

    /** The final row of a slice, which replaces its owner and depth. */
    private static final int ROW = OWNER_AND_DEPTH;

    /** The group of slices without a thread; the group of a thread is its utid + 1. */
    private static final int NO_THREAD = 0;

    private final GroupedRows rows;

    // Per track: its owner, its name, its innermost open slice, its depth, and the number of begins dropped within
    // that.
    private int[] ownerOfTrack = new int[256];
    private int[] nameOfTrack = new int[256];
    private int[] tops = new int[256];
    private int[] depths = new int[256];
    private int[] dropped = new int[256];
    private long droppedSlices;

    /** The name of the track of each slice without a thread, in order. */
    private final IntList trackNames = new IntList();

    private final SliceDetails notes = new SliceDetails();

    /** The place of the slice of the last operation, NONE if it was dropped. */
    private int last = NONE;

    /** The result of finish(). */
    private @Nullable Slices slices;

    SliceTracker(BlockPool pool) {
        rows = new GroupedRows(pool, WORD_BITS);
    }

    /** Applies a batch of operations. */
    void apply(long[] batch, int length) {
        for (int i = 0; i < length; i += SliceOperation.WORDS) {
            long ts = SliceOperation.ts(batch, i);
            long packed = SliceOperation.packed(batch, i);
            int track = SliceOperation.track(packed);
            int value = SliceOperation.value(packed);
            int kind = SliceOperation.kind(packed);
            switch (kind) {
                case SliceOperation.BEGIN -> begin(ts, track, value);
                case SliceOperation.END -> end(ts, track);
                case SliceOperation.BEGIN_UNLESS_OPEN -> {
                    if (tops[track] == NONE) {
                        begin(ts, track, value);
                    }
                }
                case SliceOperation.INSTANT -> last = add(ts, ts, value, track);
                case SliceOperation.NEW_TRACK -> newTrack(track, value);
                case SliceOperation.TRACK_NAME -> nameOfTrack[track] = value;
                default -> {
                    if (last != NONE) {
                        notes.add(last, kind, ts, value);
                    }
                }
            }
        }
    }

    private void newTrack(int track, int owner) {
        if (track >= tops.length) {
            int capacity = Math.max(track + 1, tops.length * 2);
            ownerOfTrack = Arrays.copyOf(ownerOfTrack, capacity);
            nameOfTrack = Arrays.copyOf(nameOfTrack, capacity);
            tops = Arrays.copyOf(tops, capacity);
            depths = Arrays.copyOf(depths, capacity);
            dropped = Arrays.copyOf(dropped, capacity);
        }
        ownerOfTrack[track] = owner;
        nameOfTrack[track] = NONE;
        tops[track] = NONE;
    }

    private void begin(long ts, int track, int name) {
        if (depths[track] == MAX_DEPTH) {
            dropped[track]++;
            droppedSlices++;
            last = NONE;
            return;
        }
        last = add(ts, OPEN, name, track);
        tops[track] = last;
        depths[track]++;
    }

    private void end(long ts, int track) {
        if (dropped[track] > 0) {
            dropped[track]--;
            last = NONE;
            return;
        }
        int slice = tops[track];
        last = slice;
        if (slice >= 0) {
            rows.set(slice, END_TIME, ts);
            tops[track] = IntPair.low(rows.get(slice, NAME_AND_PARENT));
            depths[track]--;
        }
    }

    private int add(long ts, long end, int name, int track) {
        int owner = ownerOfTrack[track];
        int slice = rows.add(owner < 0 ? NO_THREAD : owner + 1);
        if (owner < 0) {
            trackNames.add(nameOfTrack[track]);
        }
        rows.set(slice, ts, end, IntPair.pack(name, tops[track]), IntPair.pack(owner, depths[track]));
        return slice;
    }

    /** The number of slices dropped because they were nested too deep. */
    public long droppedSlices() {
        return droppedSlices;
    }

    /** The details of slices, finished with the table. */
    public SliceDetails notes() {
        return notes;
    }

    /** The finished table. */
    public Slices slices() {
        if (slices == null) {
            throw new IllegalStateException("not finished");
        }
        return slices;
    }

    /** Builds the table. */
    void finish(Strings strings, int threads, long traceEnd) {
        int[] groups = rows.settle(threads + 1);
        int async = groups[1];
        int size = groups[threads + 1];
        Table table = new Table(size);
        int[] firsts = new int[threads + 1];
        for (int utid = 0; utid < threads; utid++) {
            table.add(utid + 1);
            firsts[utid + 1] = groups[utid + 2] - async;
        }
        table.add(NO_THREAD);
        notes.finish(place -> (int) rows.get(place, ROW));
        slices = new Slices(strings, firsts, table.columns(), trackNames.toArray(), traceEnd);
        rows.release();
    }

    /** The columns of the table while they are filled. */
    private final class Table {
        private final LongColumn.Filler times;
        private final LongColumn.Filler durations;
        private final IntColumn.Filler names;
        private final IntColumn.Filler parents;
        private final IntColumn.Filler owners;
        private final ShortColumn.Filler depths;
        private final IntColumn.Filler categories;
        private final long[] read = rows.arrayForRun();
        private int row;

        Table(int size) {
            times = new LongColumn.Filler(size);
            durations = new LongColumn.Filler(size);
            names = new IntColumn.Filler(size);
            parents = new IntColumn.Filler(size);
            owners = new IntColumn.Filler(size);
            depths = new ShortColumn.Filler(size);
            categories = new IntColumn.Filler(notes.hasCategories() ? size : 0);
        }

        /** Adds the slices of a group. A parent precedes its children, so its row is known. */
        void add(int group) {
            for (int run = rows.firstRun(group); run != GroupedRows.NONE; run = rows.nextRun(run)) {
                int first = rows.start(run);
                int count = rows.read(run, group, read);
                for (int i = 0; i < count; i++) {
                    int at = i << WORD_BITS;
                    long end = read[at + END_TIME];
                    long nameAndParent = read[at + NAME_AND_PARENT];
                    long ownerAndDepth = read[at + OWNER_AND_DEPTH];
                    times.add(read[at + TIME]);
                    durations.add(end == OPEN ? OPEN : end - read[at + TIME]);
                    names.add(IntPair.high(nameAndParent));
                    parents.add(rowOf(IntPair.low(nameAndParent), first));
                    owners.add(IntPair.high(ownerAndDepth));
                    depths.add((short) ownerAndDepth);
                    if (notes.hasCategories()) {
                        categories.add(notes.category(first + i));
                    }
                    read[at + ROW] = row++;
                }
                rows.write(run, group, read);
            }
        }

        /** The row of an earlier slice, mostly in the same run; {@link #NONE} for none. */
        private int rowOf(int slice, int firstInRun) {
            if (slice < 0) {
                return NONE;
            }
            int inRun = slice - firstInRun;
            return (int) (inRun >= 0 ? read[(inRun << WORD_BITS) + ROW] : rows.get(slice, ROW));
        }

        Slices.Columns columns() {
            return new Slices.Columns(
                    times.column(),
                    durations.column(),
                    names.column(),
                    parents.column(),
                    owners.column(),
                    depths.column(),
                    categories.column());
        }
    }
}
