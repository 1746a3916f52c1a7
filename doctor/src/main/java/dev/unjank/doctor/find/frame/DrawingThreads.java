package dev.unjank.doctor.find.frame;

import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.LeadingInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The threads that draw the frames of Android's programs. A program may have several UI threads; the name of the slice
 * {@code Choreographer#doFrame TOKEN}, in which a thread draws, ends with the frame's token in the frame timeline. A
 * frame that has no such slice is taken for one of the main thread.
 */
public final class DrawingThreads {
    private static final String DO_FRAME = "Choreographer#doFrame";

    /** Follows {@link #DO_FRAME} in the name of a nested slice if a delayed frame takes the token of a later one. */
    private static final String RESYNCED = " - resynced to ";

    /** Android's name of the thread that renders what the UI threads have prepared. */
    private static final String RENDERER = "RenderThread";

    private final Slices slices;
    private final Threads threads;
    private final Trace trace;
    private final SliceNameFilter doFrames;
    private final Map<Key, List<Integer>> rows = new HashMap<>();
    private final Map<Integer, List<Integer>> renderers = new HashMap<>(); // by upid

    public DrawingThreads(Trace trace) {
        this.trace = trace;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.doFrames = new SliceNameFilter(trace, name -> name.startsWith(DO_FRAME));
        if (trace.frames().size() > 0) {
            doFrames.rows().filter(row -> row < slices.firstAsync()).forEach(this::add);
        }
        for (int utid = 0; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            if (upid >= 0 && !trace.processes().isJvm(upid) && RENDERER.equals(threads.name(utid))) {
                renderers.computeIfAbsent(upid, _ -> new ArrayList<>()).add(utid);
            }
        }
        renderers.replaceAll((_, utids) -> List.copyOf(utids));
    }

    /** A token of a process. */
    private record Key(int upid, long token) {}

    private void add(int row) {
        int upid = threads.upid(slices.utid(row));
        long token = token(slices.name(row));
        if (upid >= 0 && token > 0) {
            rows.computeIfAbsent(new Key(upid, token), _ -> new ArrayList<>()).add(row);
        }
    }

    /** The token in the name of a slice; 0 if there is none. */
    static long token(String name) {
        int at = name.startsWith(RESYNCED, DO_FRAME.length())
                ? DO_FRAME.length() + RESYNCED.length()
                : DO_FRAME.length();
        return at < name.length() ? LeadingInteger.parse(name.substring(at)) : 0;
    }

    /** {@return the slices in which threads draw} */
    SliceNameFilter doFrames() {
        return doFrames;
    }

    /**
     * {@return the thread that drew a row of the frame timeline, from a time on; the last of several; the main thread
     * if no slice has the row's token; -1 if that is unknown}
     */
    int of(int row, long from) {
        Frames timeline = trace.frames();
        int upid = timeline.upid(row);
        if (upid < 0) {
            return -1;
        }
        int last = drawnIn(new Key(upid, timeline.surfaceToken(row)), from, timeline.endNs(row));
        return last < 0 ? trace.processes().mainThread(upid) : slices.utid(last);
    }

    /** The slice with a token; tokens restart with the display server, so it has to overlap the frame. */
    private int drawnIn(Key key, long from, long to) {
        int last = -1;
        for (int row : rows.getOrDefault(key, List.of())) {
            boolean overlaps = slices.ts(row) < to && slices.endNs(row) > from;
            if (overlaps && (last < 0 || slices.endNs(row) > slices.endNs(last))) {
                last = row;
            }
        }
        return last;
    }

    /** {@return the threads that render what the UI threads of an Android process prepared} */
    List<Integer> renderers(int upid) {
        return renderers.getOrDefault(upid, List.of());
    }

    /** {@return the threads that drew frames of the timeline and are not their processes' main threads} */
    public BitSet beyondMainThreads() {
        Frames timeline = trace.frames();
        BitSet utids = new BitSet();
        for (int row = 0; row < timeline.size() && !rows.isEmpty(); row++) {
            int utid = timeline.isOpen(row) ? -1 : of(row, startNs(timeline, row));
            if (utid >= 0 && !threads.isMain(utid)) {
                utids.set(utid);
            }
        }
        return utids;
    }

    /** {@return the start of a frame of the timeline: the expected one, or the actual one if that is earlier} */
    static long startNs(Frames timeline, int row) {
        long expected = timeline.expectedStartNs(row);
        return expected == Frames.NO_TIME ? timeline.ts(row) : Math.min(expected, timeline.ts(row));
    }
}
