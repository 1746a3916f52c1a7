package dev.unjank.doctor.find.frame;

import dev.unjank.doctor.find.message.LooperMessageRuns;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames of each process: those of the frame timeline; for a process that is not in it, the {@code
 * Choreographer#doFrame} slices of its main thread; and in Java programs without frames, and in traces without any, the
 * messages that loopers run. The latter two are missed if they take longer than the display's period.
 *
 * <p>A frame without an end is left out: it is not known how long it took, and what it cost.
 *
 * <p>A frame of the timeline is missed if it was janky and not presented on time or early.
 *
 * <p>Of the layers of one frame of the timeline the worst counts. A frame starts at its expected start, or at its
 * actual start if that is earlier, since a delay of the start costs the frame as well.
 *
 * <p>A program may render on several threads: {@link DrawingThreads} finds them on Android; a Java program's loopers
 * each have a layer of the name of the thread, {@code NAME (TID)}.
 */
public final class FrameFinder {
    private static final String DEADLINE_MISSED = "Deadline Missed";

    /** No jank, or jank that users do not see. */
    private static final Set<JankType> INVISIBLE = EnumSet.of(
            JankType.NONE,
            JankType.NON_ANIMATING,
            JankType.DISPLAY_NOT_ON,
            JankType.MODE_CHANGE,
            JankType.POWER_MODE_CHANGE);

    /** Present types without visible jank. */
    private static final Set<PresentType> IN_TIME = EnumSet.of(PresentType.ON_TIME, PresentType.EARLY);

    private final Trace trace;
    private final Frames timeline;
    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final long period;
    private final DrawingThreads drawing;
    private final BitSet renderingProcesses = new BitSet();
    private final Map<Integer, String> jankTexts = new HashMap<>();
    private final Map<Layer, Integer> loopers = new HashMap<>();

    public FrameFinder(Trace trace, DrawingThreads drawing) {
        this.trace = trace;
        this.drawing = drawing;
        this.timeline = trace.frames();
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.period = DisplayPeriod.of(trace);
    }

    /** {@return all frames by time, each with its index as id} */
    public List<Frame> find() {
        List<Frame> found = new ArrayList<>(ofTimeline());
        addRenderingProcesses(found);
        for (int upid = 0; upid < processes.size(); upid++) {
            int main = processes.mainThread(upid);
            if (!renderingProcesses.get(upid) && main >= 0) {
                addDoFrames(main, upid, found);
            }
        }
        addRenderingProcesses(found);
        if (trace.queueEvents().size() > 0) {
            addMessages(found.isEmpty(), found);
        }
        found.sort(LongOrder.ascending(Frame::startNs));
        for (int i = 0; i < found.size(); i++) {
            found.set(i, found.get(i).withId(i));
        }
        return found;
    }

    private void addRenderingProcesses(List<Frame> frames) {
        for (Frame frame : frames) {
            if (frame.upid() >= 0) {
                renderingProcesses.set(frame.upid());
            }
        }
    }

    /** {@return the upids of the processes that render frames; empty if the trace contains no frames} */
    public BitSet renderingProcesses() {
        return renderingProcesses;
    }

    /** A layer of a process. */
    private record Layer(int upid, String name) {}

    /**
     * The key of a frame's layers. Tokens restart with the display server, so the expected time, if known, is part of
     * it.
     */
    private record Token(long token, boolean display, int upid, long expectedNs) {
        // Written out since the JVM generates a record's own methods at their first use, which takes milliseconds.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Token same
                    && token == same.token
                    && display == same.display
                    && upid == same.upid
                    && expectedNs == same.expectedNs;
        }

        @Override
        public int hashCode() {
            int hash = 31 * (31 * Long.hashCode(token) + Boolean.hashCode(display)) + upid;
            return 31 * hash + Long.hashCode(expectedNs);
        }
    }

    private List<Frame> ofTimeline() {
        Map<Token, Frame> worst = new HashMap<>();
        for (int row = 0; row < timeline.size(); row++) {
            if (timeline.isOpen(row)) {
                continue;
            }
            boolean display = timeline.surfaceToken(row) == 0;
            long token = display ? timeline.displayToken(row) : timeline.surfaceToken(row);
            Token key = new Token(token, display, timeline.upid(row), timeline.expectedStartNs(row));
            worst.merge(key, ofTimeline(row, display), FrameFinder::worst);
        }
        return List.copyOf(worst.values());
    }

    private static Frame worst(Frame a, Frame b) {
        if (a.missed() != b.missed()) {
            return a.missed() ? a : b;
        }
        return b.endNs() > a.endNs() ? b : a;
    }

    private Frame ofTimeline(int row, boolean display) {
        int mask = timeline.jankMask(row);
        Set<JankType> types = JankType.in(mask);
        long deadline = timeline.deadlineNs(row);
        long start = DrawingThreads.startNs(timeline, row);
        int upid = timeline.upid(row);
        String layer = timeline.layer(row);
        int utid = isInJvm(upid) ? looper(upid, layer) : drawing.of(row, start);
        PresentType presented = timeline.presentType(row);
        return new Frame(
                0,
                Frame.Source.TIMELINE,
                row,
                upid,
                utid,
                tid(utid),
                isInJvm(upid) ? List.of() : drawing.renderers(upid),
                upid < 0 ? null : processes.name(upid),
                display || layer == null ? GenericTerm.DISPLAY_FRAME.text() : layer,
                display,
                start,
                timeline.endNs(row) - start,
                deadline == Frames.NO_TIME ? 0 : Math.max(0, timeline.endNs(row) - deadline),
                mask,
                text(mask, types),
                presented,
                !INVISIBLE.containsAll(types) && !IN_TIME.contains(presented),
                types.contains(JankType.APP_DEADLINE_MISSED));
    }

    private boolean isInJvm(int upid) {
        return upid >= 0 && processes.isJvm(upid);
    }

    private int tid(int utid) {
        return utid < 0 ? ThreadRef.NOT_IN_TRACE : threads.tid(utid);
    }

    /** The looper of a Java program that renders a layer; -1 if unknown. */
    private int looper(int upid, @Nullable String layer) {
        if (layer == null) {
            return -1;
        }
        return loopers.computeIfAbsent(new Layer(upid, layer), key -> {
            for (int utid = 0; utid < threads.size(); utid++) {
                if (threads.upid(utid) == upid && layer.endsWith(" (" + threads.tid(utid) + ")")) {
                    return utid;
                }
            }
            return -1;
        });
    }

    private String text(int mask, Set<JankType> types) {
        return jankTexts.computeIfAbsent(
                mask,
                key -> types.isEmpty()
                        ? JankType.NONE.text()
                        : types.stream().map(JankType::text).collect(Collectors.joining(", ")));
    }

    private void addDoFrames(int main, int upid, List<Frame> found) {
        SliceNameFilter doFrames = drawing.doFrames();
        int last = slices.end(main);
        long end = Long.MIN_VALUE;
        for (int row = doFrames.next(slices.first(main), last); row < last; row = doFrames.next(row + 1, last)) {
            if (slices.ts(row) >= end && slices.dur(row) > 0 && !slices.isOpen(row)) {
                end = slices.endNs(row);
                found.add(ofSlice(Frame.Source.CHOREOGRAPHER, row, upid, main));
            }
        }
    }

    private void addMessages(boolean ofAllProcesses, List<Frame> found) {
        for (int utid = 0; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            boolean counts = ofAllProcesses || (upid >= 0 && !renderingProcesses.get(upid) && processes.isJvm(upid));
            long end = Long.MIN_VALUE;
            for (int row = slices.first(utid); counts && row < slices.end(utid); row++) {
                if (slices.ts(row) >= end && LooperMessageRuns.isRun(slices, row) && !slices.isOpen(row)) {
                    end = slices.endNs(row);
                    found.add(ofSlice(Frame.Source.MESSAGE, row, upid, utid));
                }
            }
        }
    }

    private Frame ofSlice(Frame.Source source, int row, int upid, int utid) {
        long missedBy = Math.max(0, slices.dur(row) - period);
        return new Frame(
                0,
                source,
                row,
                upid,
                utid,
                tid(utid),
                source == Frame.Source.MESSAGE ? List.of() : drawing.renderers(upid),
                upid < 0 ? null : processes.name(upid),
                slices.name(row),
                false,
                slices.ts(row),
                slices.dur(row),
                missedBy,
                0,
                missedBy > 0 ? DEADLINE_MISSED : JankType.NONE.text(),
                PresentType.UNSPECIFIED,
                missedBy > 0,
                missedBy > 0);
    }
}
