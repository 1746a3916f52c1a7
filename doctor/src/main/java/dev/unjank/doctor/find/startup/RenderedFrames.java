package dev.unjank.doctor.find.startup;

import static java.util.Comparator.comparingLong;

import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.LeadingInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Frames that were rendered, by the rules of the module {@code android.frames.timeline}: a slice {@code
 * Choreographer#doFrame} and a slice {@code DrawFrame}. With a frame timeline, their names contain the frame number.
 * Without one, the DrawFrame slices of a process before its next doFrame belong to the previous doFrame.
 */
final class RenderedFrames {
    private static final String DO_FRAME = "Choreographer#doFrame";
    private static final String DRAW_FRAME = "DrawFrame";

    private final Trace trace;
    private final Slices slices;
    private final List<Frame> frames = new ArrayList<>();

    /** A frame. */
    record Frame(long ts, long end) {
        Frame mergedWith(Frame other) {
            long from = Math.min(ts, other.ts);
            return new Frame(from, from + Math.max(end - ts, other.end - other.ts));
        }
    }

    /** A slice doFrame or DrawFrame. */
    private record FrameSlice(String name, long number, int upid, boolean onMain, long ts, long end) {}

    RenderedFrames(Trace trace) {
        this.trace = trace;
        this.slices = trace.slices();
        boolean numbered = trace.frames().size() > 0;
        Map<Integer, List<FrameSlice>> doFramesByProcess = new HashMap<>();
        Map<Integer, List<FrameSlice>> drawFramesByProcess = new HashMap<>();
        new SliceNameFilter(trace, name -> name.startsWith(DO_FRAME) || name.startsWith(DRAW_FRAME))
                .rows()
                .filter(row -> row < slices.firstAsync() && threads().upid(slices.utid(row)) >= 0)
                .filter(row -> !numbered || slices.depth(row) <= 1)
                .mapToObj(this::slice)
                .forEach(slice -> (slice.name.startsWith(DO_FRAME) ? doFramesByProcess : drawFramesByProcess)
                        .computeIfAbsent(slice.upid, _ -> new ArrayList<>())
                        .add(slice));
        Map<FrameKey, Frame> timeline = numbered ? timeline() : Map.of();
        doFramesByProcess.forEach((upid, doFrames) -> {
            List<FrameSlice> drawFrames = drawFramesByProcess.getOrDefault(upid, List.of());
            if (numbered) {
                matchByFrameNumber(doFrames, drawFrames, timeline);
            } else {
                matchByOrder(doFrames, drawFrames);
            }
        });
        frames.sort(comparingLong(Frame::ts));
    }

    private Threads threads() {
        return trace.threads();
    }

    private FrameSlice slice(int row) {
        String name = slices.name(row);
        int space = name.indexOf(' ');
        int end = space < 0 ? -1 : name.indexOf(' ', space + 1);
        long number = space < 0 ? 0 : LeadingInteger.parse(name.substring(space + 1, end < 0 ? name.length() : end));
        int utid = slices.utid(row);
        long dur = slices.isOpen(row) ? -1 : slices.dur(row);
        return new FrameSlice(
                name, number, threads().upid(utid), threads().isMain(utid), slices.ts(row), slices.ts(row) + dur);
    }

    private void matchByFrameNumber(
            List<FrameSlice> doFrames, List<FrameSlice> drawFrames, Map<FrameKey, Frame> timeline) {
        Map<Long, Long> endByNumber = new HashMap<>();
        drawFrames.forEach(slice -> endByNumber.merge(slice.number, slice.end, Math::max));
        for (FrameSlice slice : doFrames) {
            Long end = slice.number == 0 ? null : endByNumber.get(slice.number);
            if (end != null) {
                frames.add(timeline.getOrDefault(new FrameKey(slice.upid, slice.number), new Frame(slice.ts, end)));
            }
        }
    }

    private record FrameKey(int upid, long number) {}

    /** Frames of the timeline: earliest start and longest duration of the frames with the same number. */
    private Map<FrameKey, Frame> timeline() {
        Frames all = trace.frames();
        Map<FrameKey, Frame> timeline = new HashMap<>();
        for (int row = 0; row < all.size(); row++) {
            long number = all.surfaceToken(row) == 0 ? all.displayToken(row) : all.surfaceToken(row);
            long dur = all.isOpen(row) ? -1 : all.dur(row);
            timeline.merge(
                    new FrameKey(all.upid(row), number), new Frame(all.ts(row), all.ts(row) + dur), Frame::mergedWith);
        }
        return timeline;
    }

    private void matchByOrder(List<FrameSlice> doFrames, List<FrameSlice> drawFrames) {
        List<FrameSlice> mainDoFrames = doFrames.stream()
                .filter(slice -> slice.onMain && slice.name.equals(DO_FRAME))
                .sorted(comparingLong(FrameSlice::ts))
                .toList();
        for (int i = 0; i < mainDoFrames.size(); i++) {
            long from = mainDoFrames.get(i).ts;
            long to = i + 1 < mainDoFrames.size() ? mainDoFrames.get(i + 1).ts : trace.endNs();
            drawFrames.stream()
                    .filter(slice -> slice.name.equals(DRAW_FRAME) && slice.ts >= from && slice.ts < to)
                    .mapToLong(FrameSlice::end)
                    .max()
                    .ifPresent(end -> frames.add(new Frame(from, end)));
        }
    }

    /** The first frame that starts after a timestamp; null if there is none. */
    @Nullable
    Frame firstAfter(long ts) {
        return frames.stream().filter(frame -> frame.ts > ts).findFirst().orElse(null);
    }
}
