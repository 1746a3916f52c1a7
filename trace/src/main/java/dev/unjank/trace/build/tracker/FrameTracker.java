package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.IntPairMap;
import dev.unjank.trace.collections.LongList;
import dev.unjank.trace.collections.LongRows;
import dev.unjank.trace.model.FrameColumns;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Strings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pairs begins and ends of frames, which share a cookie, and actual frames with expected ones, which share a token.
 * Frames are few: each takes a row of longs while loading.
 */
public final class FrameTracker {
    /** The kind of a frame event: the begin of an expected or of an actual frame, or the end of either. */
    public static final int EXPECTED = 0;

    public static final int ACTUAL = 1;
    public static final int END = 2;

    // Words of an event in the log.
    private static final int KIND = 0;
    private static final int COOKIE = 1;
    private static final int PID = 2;
    private static final int LAYER = 3;
    private static final int DISPLAY_TOKEN = 4;
    private static final int SURFACE_TOKEN = 5;
    private static final int JANK = 6;
    private static final int FLAGS = 7;
    private static final int WORDS = 8;

    private final LongRows log = new LongRows(WORDS);

    // Frames in time order, expected and actual: the event of their begin, the process, the time, the end or -1.
    private final IntList events = new IntList();
    private final IntList upids = new IntList();
    private final LongList starts = new LongList();
    private final LongList ends = new LongList();
    private int actualFrames;

    private final IntPairMap openByCookie = new IntPairMap();

    /** The expected frame of a process and a token; a display frame's token has the upper key negated. */
    private final IntPairMap expected = new IntPairMap();

    /** Stores an event and returns the row under which {@link #apply} will find it. */
    public int add(
            int kind, long cookie, int pid, int layer, long displayToken, long surfaceToken, int jankMask, int flags) {
        return log.add(kind, cookie, pid, layer, displayToken, surfaceToken, jankMask, flags);
    }

    /** Appends the events of another tracker, none of which was applied. */
    public void append(FrameTracker other, IdRemapping numbers) {
        for (int event = 0; event < other.size(); event++) {
            add(
                    (int) other.word(event, KIND),
                    other.word(event, COOKIE),
                    (int) other.word(event, PID),
                    numbers.name((int) other.word(event, LAYER)),
                    other.word(event, DISPLAY_TOKEN),
                    other.word(event, SURFACE_TOKEN),
                    (int) other.word(event, JANK),
                    (int) other.word(event, FLAGS));
        }
    }

    public int size() {
        return log.size();
    }

    private long word(int event, int word) {
        return log.get(event, word);
    }

    /** Applies an event, in time order. */
    public void apply(long ts, int event, ProcessTracker processes) {
        int kind = (int) word(event, KIND);
        long cookie = word(event, COOKIE);
        if (kind == END) {
            int frame = openByCookie.get(cookie, 0);
            if (frame >= 0) {
                ends.set(frame, ts);
                openByCookie.put(cookie, 0, IntPairMap.NONE);
            }
            return;
        }
        int frame = events.size();
        int upid = processes.process((int) word(event, PID));
        events.add(event);
        upids.add(upid);
        starts.add(ts);
        ends.add(-1);
        openByCookie.put(cookie, 0, frame);
        if (kind == ACTUAL) {
            actualFrames++;
        } else {
            expected.put(token(event), upid, frame);
        }
    }

    private long token(int event) {
        long surface = word(event, SURFACE_TOKEN);
        return surface != 0 ? surface : ~word(event, DISPLAY_TOKEN);
    }

    public Frames frames(Strings strings, long traceEnd) {
        FrameColumns columns = new FrameColumns(actualFrames);
        Arrays.fill(columns.expectedStarts, Frames.NO_TIME);
        Arrays.fill(columns.deadlines, Frames.NO_TIME);
        boolean[] met = new boolean[events.size()];
        int row = 0;
        for (int frame = 0; frame < events.size(); frame++) {
            int event = events.get(frame);
            if (word(event, KIND) != ACTUAL) {
                continue;
            }
            columns.times[row] = starts.get(frame);
            columns.durations[row] = ends.get(frame) < 0 ? -1 : ends.get(frame) - starts.get(frame);
            columns.upids[row] = upids.get(frame);
            columns.layers[row] = (int) word(event, LAYER);
            columns.displayTokens[row] = word(event, DISPLAY_TOKEN);
            columns.surfaceTokens[row] = word(event, SURFACE_TOKEN);
            columns.jankMasks[row] = (int) word(event, JANK);
            columns.flags[row] = (int) word(event, FLAGS);
            int plan = expected.get(token(event), upids.get(frame));
            if (plan >= 0) {
                met[plan] = true;
                columns.expectedStarts[row] = starts.get(plan);
                columns.deadlines[row] = ends.get(plan) < 0 ? Frames.NO_TIME : ends.get(plan);
            }
            row++;
        }
        return new Frames(strings, columns, missed(met), replaced(), traceEnd);
    }

    /** The expected frames without an actual one, each token once. */
    private List<Frames.Missed> missed(boolean[] met) {
        List<Frames.Missed> missed = new ArrayList<>();
        for (int frame = 0; frame < met.length; frame++) {
            int event = events.get(frame);
            int upid = upids.get(frame);
            if (word(event, KIND) == EXPECTED && !met[frame] && expected.get(token(event), upid) == frame) {
                missed.add(expected(frame));
            }
        }
        return missed;
    }

    private List<Frames.Missed> replaced() {
        List<Frames.Missed> replaced = new ArrayList<>();
        for (int frame = 0; frame < events.size(); frame++) {
            int event = events.get(frame);
            boolean isOfDisplay = word(event, SURFACE_TOKEN) == 0;
            if (word(event, KIND) == EXPECTED && isOfDisplay && expected.get(token(event), upids.get(frame)) != frame) {
                replaced.add(expected(frame));
            }
        }
        return replaced;
    }

    private Frames.Missed expected(int frame) {
        int event = events.get(frame);
        return new Frames.Missed(
                starts.get(frame),
                ends.get(frame) < 0 ? Frames.NO_TIME : ends.get(frame),
                upids.get(frame),
                word(event, SURFACE_TOKEN),
                word(event, DISPLAY_TOKEN),
                (int) word(event, LAYER));
    }
}
