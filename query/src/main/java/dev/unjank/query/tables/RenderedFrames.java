package dev.unjank.query.tables;

import static java.util.Comparator.comparingLong;

import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Frames that were both made and drawn, by the rules of the module {@code android.frames.timeline}: a slice {@code
 * Choreographer#doFrame} and one {@code DrawFrame}. Where a trace has a frame timeline their names hold the frame's number;
 * elsewhere what a process draws before its next doFrame begins belongs to the one before.
 */
final class RenderedFrames {
    private static final String MAKE = "Choreographer#doFrame";
    private static final String DRAW = "DrawFrame";

    private final Trace trace;
    private final Slices slices;
    private final List<Drawn> frames = new ArrayList<>();

    /** A frame from its beginning to its end. */
    record Drawn(long ts, long end) {
        Drawn withRepeated(Drawn other) {
            long from = Math.min(ts, other.ts);
            return new Drawn(from, from + Math.max(end - ts, other.end - other.ts));
        }
    }

    /** A slice of a thread of a process. */
    private record Work(String name, long number, int upid, boolean onMain, long ts, long end) {}

    RenderedFrames(Trace trace) {
        this.trace = trace;
        this.slices = trace.slices();
        boolean numbered = trace.frames().size() > 0;
        Map<Integer, List<Work>> making = new HashMap<>();
        Map<Integer, List<Work>> drawing = new HashMap<>();
        new SliceNameFilter(trace, name -> name.startsWith(MAKE) || name.startsWith(DRAW))
                .rows()
                .filter(row -> row < slices.firstAsync() && threads().upid(slices.utid(row)) >= 0)
                .filter(row -> !numbered || slices.depth(row) <= 1)
                .mapToObj(this::work)
                .forEach(work -> (work.name.startsWith(MAKE) ? making : drawing)
                        .computeIfAbsent(work.upid, _ -> new ArrayList<>())
                        .add(work));
        Map<Told, Drawn> timeline = numbered ? timeline() : Map.of();
        making.forEach((upid, made) -> {
            List<Work> drawn = drawing.getOrDefault(upid, List.of());
            if (numbered) {
                numbered(made, drawn, timeline);
            } else {
                unnumbered(made, drawn);
            }
        });
        frames.sort(comparingLong(Drawn::ts));
    }

    private Threads threads() {
        return trace.threads();
    }

    private Work work(int row) {
        String name = slices.name(row);
        int space = name.indexOf(' ');
        int end = space < 0 ? -1 : name.indexOf(' ', space + 1);
        long number =
                space < 0 ? 0 : LeadingInteger.beginning(name.substring(space + 1, end < 0 ? name.length() : end));
        int utid = slices.utid(row);
        long dur = slices.isOpen(row) ? -1 : slices.dur(row);
        return new Work(
                name, number, threads().upid(utid), threads().isMain(utid), slices.ts(row), slices.ts(row) + dur);
    }

    private void numbered(List<Work> made, List<Work> drawn, Map<Told, Drawn> timeline) {
        Map<Long, Long> drawnUntil = new HashMap<>();
        drawn.forEach(work -> drawnUntil.merge(work.number, work.end, Math::max));
        for (Work work : made) {
            Long until = work.number == 0 ? null : drawnUntil.get(work.number);
            if (until != null) {
                frames.add(timeline.getOrDefault(new Told(work.upid, work.number), new Drawn(work.ts, until)));
            }
        }
    }

    private record Told(int upid, long number) {}

    /** What the timeline tells of frames: the first beginning and the longest time of what bears a number. */
    private Map<Told, Drawn> timeline() {
        Frames told = trace.frames();
        Map<Told, Drawn> timeline = new HashMap<>();
        for (int row = 0; row < told.size(); row++) {
            long number = told.surfaceToken(row) == 0 ? told.displayToken(row) : told.surfaceToken(row);
            long dur = told.isOpen(row) ? -1 : told.dur(row);
            timeline.merge(
                    new Told(told.upid(row), number), new Drawn(told.ts(row), told.ts(row) + dur), Drawn::withRepeated);
        }
        return timeline;
    }

    private void unnumbered(List<Work> made, List<Work> drawn) {
        List<Work> inTurn = made.stream()
                .filter(work -> work.onMain && work.name.equals(MAKE))
                .sorted(comparingLong(Work::ts))
                .toList();
        for (int i = 0; i < inTurn.size(); i++) {
            long from = inTurn.get(i).ts;
            long to = i + 1 < inTurn.size() ? inTurn.get(i + 1).ts : trace.endNs();
            drawn.stream()
                    .filter(work -> work.name.equals(DRAW) && work.ts >= from && work.ts < to)
                    .mapToLong(Work::end)
                    .max()
                    .ifPresent(until -> frames.add(new Drawn(from, until)));
        }
    }

    /** The first frame to begin after a moment; null if there is none. */
    @Nullable
    Drawn firstAfter(long ts) {
        return frames.stream().filter(frame -> frame.ts > ts).findFirst().orElse(null);
    }
}
