package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;

/**
 * Collects the frames of programs that draw by a {@code FrameClock} and adds them like Android's display frames: each
 * with its expected and actual time, on a layer named after the looper's thread, {@code NAME (TID)}. Skipped frames
 * are expected frames without an actual one.
 *
 * <p>One object serves all runs of a file, so that tokens are unique.
 */
final class FrameEvents {
    /** The maximum number of skipped frames that are added after a long stall of the looper. */
    static final int MAX_SKIPPED = 600;

    /** Two cookies per frame, different from those of a display server, which count from 0. */
    private static final int COOKIE_BITS = 32;

    // Columns of a frame.
    private static final int THREAD = 0;
    private static final int START = 1;
    private static final int END = 2;
    private static final int DUE = 3;
    private static final int PERIOD = 4;
    private static final int SKIPPED_OR_MISSED = 5;

    private static final int MISSED = 1;

    private LongRows frames = new LongRows(6);
    private long count;

    void add(int thread, long startNs, long endNs, long dueNs, long periodNs, boolean missed, long skipped) {
        long missing = Math.clamp(skipped, 0, MAX_SKIPPED);
        frames.add(thread, startNs, Math.max(startNs, endNs), dueNs, periodNs, missing << 1 | (missed ? MISSED : 0));
    }

    /** Adds all frames of a process to a builder. */
    void emitTo(TraceBuilder builder, JfrThreads threads, int pid) {
        LongRows rows = frames;
        frames = new LongRows(6);
        for (int row = 0; row < rows.size(); row++) {
            int thread = (int) rows.get(row, THREAD);
            int layer = builder.intern(threads.name(thread) + " (" + threads.tid(thread) + ")");
            boolean missed = (rows.get(row, SKIPPED_OR_MISSED) & MISSED) != 0;
            long due = rows.get(row, DUE);
            long period = rows.get(row, PERIOD);
            expected(builder, pid, layer, due, period);
            long cookie = cookie(pid) + 1;
            builder.program()
                    .actualFrame(
                            rows.get(row, START),
                            cookie,
                            pid,
                            0,
                            count,
                            layer,
                            missed ? JankType.APP_DEADLINE_MISSED.bit() : JankType.NONE.bit(),
                            missed ? PresentType.LATE : PresentType.ON_TIME,
                            !missed,
                            false);
            builder.program().frameEnd(rows.get(row, END), cookie);
            for (long skipped = rows.get(row, SKIPPED_OR_MISSED) >> 1; skipped > 0; skipped--) {
                due += period;
                expected(builder, pid, layer, due, period);
            }
        }
    }

    private void expected(TraceBuilder builder, int pid, int layer, long dueNs, long periodNs) {
        count++;
        builder.program().expectedFrame(dueNs, cookie(pid), pid, 0, count, layer);
        builder.program().frameEnd(dueNs + periodNs, cookie(pid));
    }

    private long cookie(int pid) {
        return (long) pid << COOKIE_BITS | count << 1;
    }
}
