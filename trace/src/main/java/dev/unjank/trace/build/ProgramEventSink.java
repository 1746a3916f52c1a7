package dev.unjank.trace.build;

import dev.unjank.trace.build.event.AsyncSliceEvent;
import dev.unjank.trace.build.event.CounterEvent;
import dev.unjank.trace.build.event.FrameEvent;
import dev.unjank.trace.build.event.ThreadSliceEvent;
import dev.unjank.trace.build.tracker.FrameTracker;
import dev.unjank.trace.model.FrameColumns;
import dev.unjank.trace.model.JankSeverity;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PredictionType;
import dev.unjank.trace.model.PresentType;

/**
 * Sink of events of programs, by thread and process: slices, marks, counters, and Android's frames. Times are in ns,
 * strings are ids from {@link TraceBuilder#intern}; the pid of a thread is 0 if unknown.
 */
public final class ProgramEventSink {
    private final EventLogs logs;
    final FrameTracker frames = new FrameTracker();

    ProgramEventSink(EventLogs logs) {
        this.logs = logs;
    }

    /** Begins a slice of a thread, nested in its open slice. */
    public void begin(long ts, int tid, int pid, int name) {
        ThreadSliceEvent.addBegin(logs.at(ts), ts, tid, pid, name);
    }

    /** Ends the innermost open slice of a thread. */
    public void end(long ts, int tid, int pid) {
        ThreadSliceEvent.addEnd(logs.at(ts), ts, tid, pid);
    }

    /** Adds a mark of a thread: a slice without duration. */
    public void instant(long ts, int tid, int pid, int name) {
        ThreadSliceEvent.addInstant(logs.at(ts), ts, tid, pid, name);
    }

    /**
     * Begins an asynchronous slice of a process; its track is often its name, and the cookie distinguishes slices of
     * one track. It is ignored if a slice of the same track and cookie is open.
     */
    public void asyncBegin(long ts, int pid, int track, long cookie, int name) {
        AsyncSliceEvent.addBegin(logs.at(ts), ts, pid, track, cookie, name);
    }

    /** Ends an asynchronous slice of a process, by the track and cookie of its beginning. */
    public void asyncEnd(long ts, int pid, int track, long cookie) {
        AsyncSliceEvent.addEnd(logs.at(ts), ts, pid, track, cookie);
    }

    /** Adds an asynchronous mark of a process. */
    public void asyncInstant(long ts, int pid, int track, int name) {
        AsyncSliceEvent.addInstant(logs.at(ts), ts, pid, track, name);
    }

    /** Adds a counter value of a process. */
    public void counter(long ts, int pid, int name, long value) {
        CounterEvent.add(logs.at(ts), ts, pid, name, value);
    }

    /**
     * Begins an expected frame; a {@link #frameEnd} with the same cookie sets its deadline. A display frame has a
     * surface token of 0 and a layer of -1.
     */
    public void expectedFrame(long ts, long cookie, int pid, long displayToken, long surfaceToken, int layer) {
        addFrame(ts, frames.add(FrameTracker.EXPECTED, cookie, pid, layer, displayToken, surfaceToken, 0, 0));
    }

    /** As the method with all details, without prediction and severity. */
    public void actualFrame(
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
        actualFrame(
                ts,
                cookie,
                pid,
                displayToken,
                surfaceToken,
                layer,
                jankMask,
                presentType,
                PredictionType.UNSPECIFIED,
                JankSeverity.UNKNOWN,
                onTimeFinish,
                gpuComposition);
    }

    /** Begins an actual frame, as {@link #expectedFrame} does; the mask has the bits of {@link JankType}. */
    public void actualFrame(
            long ts,
            long cookie,
            int pid,
            long displayToken,
            long surfaceToken,
            int layer,
            int jankMask,
            PresentType presentType,
            PredictionType predictionType,
            JankSeverity severity,
            boolean onTimeFinish,
            boolean gpuComposition) {
        int flags = presentType.code() << FrameColumns.PRESENT_SHIFT
                | predictionType.code() << FrameColumns.PREDICTION_SHIFT
                | severity.code() << FrameColumns.SEVERITY_SHIFT
                | (onTimeFinish ? FrameColumns.ON_TIME_FINISH : 0)
                | (gpuComposition ? FrameColumns.GPU_COMPOSITION : 0);
        addFrame(ts, frames.add(FrameTracker.ACTUAL, cookie, pid, layer, displayToken, surfaceToken, jankMask, flags));
    }

    /** Ends an actual frame, or sets the deadline of an expected one. */
    public void frameEnd(long ts, long cookie) {
        addFrame(ts, frames.add(FrameTracker.END, cookie, 0, -1, 0, 0, 0, 0));
    }

    private void addFrame(long ts, int row) {
        FrameEvent.add(logs.at(ts), ts, row);
    }
}
