package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.ArrayList;
import java.util.List;

/**
 * A buffer of complete slices, with start and end, in any order; {@link #emitTo} passes them to a builder in the
 * required order. The slices of one line are nested; of two that overlap otherwise, the later one is put on a further
 * track of the same owner.
 */
final class SliceBuffer {
    // The columns of a row.
    private static final int LINE = 0;
    private static final int START = 1;
    private static final int END = 2;
    private static final int NAME_AND_CATEGORY = 3;
    private static final int NOTE = 4;
    private static final int COLUMNS = 5;

    /** The note of a slice without details. */
    static final long NO_NOTE = -1;

    /** The end of a slice that the recording does not contain. */
    static final long OPEN = Long.MAX_VALUE;

    /** Further overlapping slices are truncated. */
    private static final int MAX_TRACKS = 8;

    private final LongRows rows = new LongRows(COLUMNS);

    /** The owners of lines. */
    interface Owners {
        /** Creates a track for the owner of a line. */
        int newTrack(int line);

        /** Adds the details of the last slice or mark. */
        void note(long ts, int track, long note);
    }

    /** Adds a slice; it becomes a mark if its end is not after its start. */
    void add(int line, long startNs, long endNs, int name, int category) {
        add(line, startNs, endNs, name, category, NO_NOTE);
    }

    /** Adds a slice with details. */
    void add(int line, long startNs, long endNs, int name, int category, long note) {
        rows.add(line, startNs, Math.max(startNs, endNs), (long) name << 32 | (category & 0xffffffffL), note);
    }

    /**
     * The end of the last slice of a line, or its start if its end is not known; {@link Long#MIN_VALUE} without slices.
     */
    long lastEnd(int line) {
        long last = Long.MIN_VALUE;
        for (int row = 0; row < rows.size(); row++) {
            if (rows.get(row, LINE) == line) {
                long end = rows.get(row, END);
                last = Math.max(last, end == OPEN ? rows.get(row, START) : end);
            }
        }
        return last;
    }

    /** Adds all slices to a builder. */
    void emitTo(TraceBuilder builder, Owners owners) {
        int[] order = rows.sorted(this::compare);
        int from = 0;
        while (from < order.length) {
            int to = from + 1;
            while (to < order.length && rows.get(order[to], LINE) == rows.get(order[from], LINE)) {
                to++;
            }
            emitLine(order, from, to, builder, owners);
            from = to;
        }
    }

    private int compare(int a, int b) {
        int byLine = Long.compare(rows.get(a, LINE), rows.get(b, LINE));
        if (byLine != 0) {
            return byLine;
        }
        int byStart = Long.compare(rows.get(a, START), rows.get(b, START));
        return byStart != 0 ? byStart : Long.compare(rows.get(b, END), rows.get(a, END));
    }

    private void emitLine(int[] order, int from, int to, TraceBuilder builder, Owners owners) {
        List<Track> tracks = new ArrayList<>();
        int line = (int) rows.get(order[from], LINE);
        for (int i = from; i < to; i++) {
            int row = order[i];
            long start = rows.get(row, START);
            Track track = null;
            for (Track one : tracks) {
                one.endUntil(start, builder);
                if (track == null && one.hasRoom(rows.get(row, END))) {
                    track = one;
                }
            }
            if (track == null && tracks.size() < MAX_TRACKS) {
                track = new Track(owners.newTrack(line));
                tracks.add(track);
            }
            emitSlice(row, track == null ? tracks.getLast() : track, builder, owners);
        }
        tracks.forEach(track -> track.endUntil(Long.MAX_VALUE, builder));
    }

    private void emitSlice(int row, Track track, TraceBuilder builder, Owners owners) {
        long start = rows.get(row, START);
        long end = rows.get(row, END);
        int name = (int) (rows.get(row, NAME_AND_CATEGORY) >> 32);
        int category = (int) rows.get(row, NAME_AND_CATEGORY);
        if (start == end) {
            builder.tracks().trackInstant(start, track.number, category, name);
        } else {
            builder.tracks().trackBegin(start, track.number, category, name);
            track.push(end);
        }
        if (rows.get(row, NOTE) != NO_NOTE) {
            owners.note(start, track.number, rows.get(row, NOTE));
        }
    }

    /** A track, and the ends of its open slices, the innermost last. */
    private static final class Track {
        final int number;
        private final List<Long> ends = new ArrayList<>();

        Track(int number) {
            this.number = number;
        }

        boolean hasRoom(long end) {
            return ends.isEmpty() || end <= ends.getLast();
        }

        void push(long end) {
            ends.add(ends.isEmpty() ? end : Math.min(end, ends.getLast()));
        }

        void endUntil(long ns, TraceBuilder builder) {
            while (!ends.isEmpty() && ends.getLast() <= ns) {
                long end = ends.removeLast();
                if (end != OPEN) {
                    builder.tracks().trackEnd(end, number);
                }
            }
        }
    }
}
