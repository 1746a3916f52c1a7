package dev.unjank.record.jvm;

import dev.unjank.record.session.RecordingInterval;
import dev.unjank.record.session.TraceSegment;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.FrameTimelineWriter.SurfaceFrame;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Copies the frame events of Flight Recorder chunks into a recording. Frames are identified by numbers: each chunk
 * counts from 1, the recording counts on. Only frames that lie entirely in the recording are copied.
 */
final class JfrFrameCopier {
    /** Frames per batch, which bounds the time under the file's lock. */
    private static final int BATCH = 128;

    private final int pid;
    private long count;

    JfrFrameCopier(int pid) {
        this.pid = pid;
    }

    /** Copies the frames of a chunk, and returns their number. */
    long copy(Trace chunk, JfrClockConverter clock, TraceSink sink) {
        Frames frames = chunk.frames();
        for (int from = 0; from < frames.size(); from += BATCH) {
            int first = from;
            int end = Math.min(frames.size(), from + BATCH);
            sink.write(segment -> presented(segment, frames, clock, sink.interval(), first, end));
        }
        for (int from = 0; from < frames.missed().size(); from += BATCH) {
            int first = from;
            int end = Math.min(frames.missed().size(), from + BATCH);
            sink.write(segment -> missed(segment, frames, clock, sink.interval(), first, end));
        }
        return frames.size();
    }

    private void presented(
            TraceSegment segment,
            Frames frames,
            JfrClockConverter clock,
            RecordingInterval interval,
            int first,
            int end)
            throws IOException {
        for (int row = first; row < end; row++) {
            if (!interval.holds(clock.nanos(frames.ts(row)), clock.nanos(frames.endNs(row)))) {
                continue;
            }
            SurfaceFrame frame = next(frames.layer(row));
            expected(segment, frame, clock, frames.expectedStartNs(row), frames.deadlineNs(row));
            segment.frames()
                    .actualSurfaceFrame(
                            frame, clock.nanos(frames.ts(row)), clock.nanos(frames.endNs(row)), frames.jankMask(row));
        }
    }

    private void missed(
            TraceSegment segment,
            Frames frames,
            JfrClockConverter clock,
            RecordingInterval interval,
            int first,
            int end)
            throws IOException {
        for (Frames.Missed missed : frames.missed().subList(first, end)) {
            if (interval.holds(clock.nanos(missed.expectedStartNs()), clock.nanos(missed.deadlineNs()))) {
                String layer = frames.layer(missed);
                expected(segment, next(layer), clock, missed.expectedStartNs(), missed.deadlineNs());
            }
        }
    }

    private static void expected(
            TraceSegment segment, SurfaceFrame frame, JfrClockConverter clock, long start, long end)
            throws IOException {
        if (start != Frames.NO_TIME && end != Frames.NO_TIME) {
            segment.frames().expectedSurfaceFrame(frame, clock.nanos(start), clock.nanos(end));
        }
    }

    private SurfaceFrame next(@Nullable String layer) {
        return new SurfaceFrame(++count, 0, pid, layer == null ? "" : layer);
    }
}
