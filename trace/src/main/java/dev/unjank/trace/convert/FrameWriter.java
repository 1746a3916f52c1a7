package dev.unjank.trace.convert;

import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.FrameTimelineWriter.Outcome;
import dev.unjank.trace.write.FrameTimelineWriter.SurfaceFrame;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes the actual frames with their expected times, and expected frames without an actual one. */
final class FrameWriter {
    private final Frames frames;
    private final Processes processes;
    private final FrameTimelineWriter timeline;

    FrameWriter(Trace trace, FrameTimelineWriter timeline) {
        frames = trace.frames();
        processes = trace.processes();
        this.timeline = timeline;
    }

    void write() throws IOException {
        for (int row = 0; row < frames.size(); row++) {
            expected(
                    frame(frames.surfaceToken(row), frames.displayToken(row), frames.upid(row), frames.layer(row)),
                    frames.expectedStartNs(row),
                    frames.deadlineNs(row));
            actual(row);
        }
        for (Frames.Missed missed : frames.missed()) {
            expected(
                    frame(missed.surfaceToken(), missed.displayToken(), missed.upid(), frames.layer(missed)),
                    missed.expectedStartNs(),
                    missed.deadlineNs());
        }
    }

    private SurfaceFrame frame(long surfaceToken, long displayToken, int upid, @Nullable String layer) {
        int pid = upid < 0 ? 0 : processes.pid(upid);
        return new SurfaceFrame(surfaceToken, displayToken, pid, layer == null ? "" : layer);
    }

    private void expected(SurfaceFrame frame, long start, long deadline) throws IOException {
        if (start == Frames.NO_TIME) {
            return;
        }
        long end = deadline == Frames.NO_TIME ? FrameTimelineWriter.OPEN : deadline;
        if (isOfDisplay(frame)) {
            timeline.expectedDisplayFrame(frame.displayToken(), frame.pid(), start, end);
        } else {
            timeline.expectedSurfaceFrame(frame, start, end);
        }
    }

    private void actual(int row) throws IOException {
        SurfaceFrame frame =
                frame(frames.surfaceToken(row), frames.displayToken(row), frames.upid(row), frames.layer(row));
        long end = frames.isOpen(row) ? FrameTimelineWriter.OPEN : frames.endNs(row);
        Outcome outcome = new Outcome(
                frames.jankMask(row), frames.presentType(row), frames.onTimeFinish(row), frames.gpuComposition(row));
        if (isOfDisplay(frame)) {
            timeline.actualDisplayFrame(frame.displayToken(), frame.pid(), frames.ts(row), end, outcome);
        } else {
            timeline.actualSurfaceFrame(frame, frames.ts(row), end, outcome);
        }
    }

    private static boolean isOfDisplay(SurfaceFrame frame) {
        return frame.token() == 0;
    }
}
