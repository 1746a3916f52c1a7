package dev.unjank.trace.build;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.build.tracker.FrameTracker;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.FrameColumns;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;

/** Sink of events of programs, by thread and process: slices, marks, counters, and Android's frames. */
public abstract class ProgramEventSink extends RareKernelEventSink {
    final FrameTracker frames = new FrameTracker();

    ProgramEventSink(BlockPool pool) {
        super(pool);
    }

    /**
     * Begins a slice of a thread, nested in its open slice.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     * @param name its name
     */
    public final void begin(long ts, int tid, int pid, int name) {
        addEvent(EventKind.BEGIN | (long) name << 32, ts, tid, pid);
    }

    /**
     * Ends the innermost open slice of a thread.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     */
    public final void end(long ts, int tid, int pid) {
        addEvent(EventKind.END, ts, tid, pid);
    }

    /**
     * Adds a mark of a thread: a slice without duration.
     *
     * @param ts the time in ns
     * @param tid the thread
     * @param pid its process, 0 if unknown
     * @param name its name
     */
    public final void instant(long ts, int tid, int pid, int name) {
        addEvent(EventKind.INSTANT | (long) name << 32, ts, tid, pid);
    }

    /**
     * Begins an asynchronous slice of a process. It is ignored if a slice of the same track and cookie is open.
     *
     * @param ts the time in ns
     * @param pid the process
     * @param track the track; often the name of the slice
     * @param cookie distinguishes slices of one track
     * @param name its name
     */
    public final void asyncBegin(long ts, int pid, int track, long cookie, int name) {
        if (accept(ts)) {
            currentLog.add(EventKind.ASYNC_BEGIN | (long) name << 32, ts, IntPair.pack(pid, track), cookie);
        }
    }

    /**
     * Ends an asynchronous slice of a process.
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
     * Adds an asynchronous mark of a process.
     *
     * @param ts the time in ns
     * @param pid the process
     * @param track the track
     * @param name its name
     */
    public final void asyncInstant(long ts, int pid, int track, int name) {
        addEvent(EventKind.ASYNC_INSTANT | (long) name << 32, ts, pid, track);
    }

    /**
     * Adds a counter value of a process.
     *
     * @param ts the time in ns
     * @param pid the process
     * @param name the counter's name
     * @param value the new value
     */
    public final void counter(long ts, int pid, int name, long value) {
        if (accept(ts)) {
            currentLog.add(EventKind.COUNTER, ts, IntPair.pack(pid, name), value);
        }
    }

    /**
     * Begins an expected frame; a {@link #frameEnd} with the same cookie sets its deadline.
     *
     * @param ts the time in ns
     * @param cookie the cookie of its end
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
     * Begins an actual frame.
     *
     * @param ts the time in ns
     * @param cookie the cookie of its end
     * @param pid the process that produces it
     * @param displayToken the display frame's token
     * @param surfaceToken the app frame's token, 0 for a display frame
     * @param layer its layer, -1 for a display frame
     * @param jankMask bits of {@link JankType}
     * @param presentType whether it was presented early, on time or late
     * @param onTimeFinish whether the process finished it in time
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
     * Ends an actual frame, or sets the deadline of an expected one.
     *
     * @param ts the time in ns
     * @param cookie the cookie of its begin
     */
    public final void frameEnd(long ts, long cookie) {
        addEvent(EventKind.FRAME, ts, frames.add(FrameTracker.END, cookie, 0, -1, 0, 0, 0, 0), 0);
    }
}
