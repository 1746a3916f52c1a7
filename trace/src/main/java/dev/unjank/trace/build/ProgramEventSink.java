package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.FrameTracker;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.FrameColumns;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;

/** What programs tell of themselves by thread and process: slices, marks, counters, and Android's frames. */
public abstract class ProgramEventSink extends RareKernelEventSink {
    final FrameTracker frames = new FrameTracker();

    ProgramEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * A thread begins a slice within the one it is in.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     * @param name of the slice
     */
    public final void begin(long ts, int tid, int pid, int name) {
        addEvent(EventKind.BEGIN | (long) name << 32, ts, tid, pid);
    }

    /**
     * A thread ends its innermost slice.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     */
    public final void end(long ts, int tid, int pid) {
        addEvent(EventKind.END, ts, tid, pid);
    }

    /**
     * A thread sets a mark: a slice without duration.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     * @param name of the mark
     */
    public final void instant(long ts, int tid, int pid, int name) {
        addEvent(EventKind.INSTANT | (long) name << 32, ts, tid, pid);
    }

    /**
     * A process begins a slice that belongs to no thread. One that has begun and not ended swallows further beginnings of
     * the same track and cookie.
     *
     * @param ts the time in ns
     * @param pid the process
     * @param track the track; often the slice's name
     * @param cookie tells slices of one track apart
     * @param name of the slice
     */
    public final void asyncBegin(long ts, int pid, int track, long cookie, int name) {
        if (accept(ts)) {
            currentLog.add(EventKind.ASYNC_BEGIN | (long) name << 32, ts, IntPair.pack(pid, track), cookie);
        }
    }

    /**
     * A process ends a slice that belongs to no thread.
     *
     * @param ts the time in ns
     * @param pid the process
     * @param track as for its beginning
     * @param cookie as for its beginning
     */
    public final void asyncEnd(long ts, int pid, int track, long cookie) {
        if (accept(ts)) {
            currentLog.add(EventKind.ASYNC_END, ts, IntPair.pack(pid, track), cookie);
        }
    }

    /**
     * A process sets a mark that belongs to no thread.
     *
     * @param ts the time in ns
     * @param pid the process
     * @param track the track
     * @param name of the mark
     */
    public final void asyncInstant(long ts, int pid, int track, int name) {
        addEvent(EventKind.ASYNC_INSTANT | (long) name << 32, ts, pid, track);
    }

    /**
     * A process reports a number.
     *
     * @param ts the time in ns
     * @param pid the process
     * @param name of the counter
     * @param value the new value
     */
    public final void counter(long ts, int pid, int name, long value) {
        if (accept(ts)) {
            currentLog.add(EventKind.COUNTER, ts, IntPair.pack(pid, name), value);
        }
    }

    /**
     * A frame should begin; a {@link #frameEnd} tells when it should be done.
     *
     * @param ts the time in ns
     * @param cookie the same as its end's
     * @param pid the process that produces it
     * @param displayToken the display frame's token
     * @param surfaceToken the app frame's token, 0 for a display frame
     * @param layer its layer, -1 for a display frame
     */
    public final void expectedFrame(long ts, long cookie, int pid, long displayToken, long surfaceToken, int layer) {
        int row = frames.add(FrameTracker.EXPECTED, cookie, pid, layer, displayToken, surfaceToken, 0, 0);
        addEvent(EventKind.FRAME, ts, row, 0);
    }

    /**
     * A frame begins.
     *
     * @param ts the time in ns
     * @param cookie the same as its end's
     * @param pid the process that produces it
     * @param displayToken the display frame's token
     * @param surfaceToken the app frame's token, 0 for a display frame
     * @param layer its layer, -1 for a display frame
     * @param jankMask bits of {@link JankType}
     * @param presentType when it was shown, against when it was expected
     * @param onTimeFinish whether its maker was done in time
     * @param gpuComposition whether the GPU composed it
     */
    public final void actualFrame(
            long ts,
            long cookie,
            int pid,
            long displayToken,
            long surfaceToken,
            int layer,
            int jankMask,
            PresentType presentType,
            boolean onTimeFinish,
            boolean gpuComposition) {
        int flags = presentType.code() << FrameColumns.PRESENT_SHIFT
                | (onTimeFinish ? FrameColumns.ON_TIME_FINISH : 0)
                | (gpuComposition ? FrameColumns.GPU_COMPOSITION : 0);
        int row = frames.add(FrameTracker.ACTUAL, cookie, pid, layer, displayToken, surfaceToken, jankMask, flags);
        addEvent(EventKind.FRAME, ts, row, 0);
    }

    /**
     * A frame ends, or an expected frame should.
     *
     * @param ts the time in ns
     * @param cookie the same as its beginning's
     */
    public final void frameEnd(long ts, long cookie) {
        addEvent(EventKind.FRAME, ts, frames.add(FrameTracker.END, cookie, 0, -1, 0, 0, 0, 0), 0);
    }
}
