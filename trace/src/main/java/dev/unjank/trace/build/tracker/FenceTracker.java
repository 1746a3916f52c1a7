package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.FenceStage;
import dev.unjank.trace.model.Slices;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Turns fences into slices named "fence", a track for each timeline: one lasts while its job is the next that the graphics
 * processor has to finish there. A driver that tells when it hands jobs over is believed from the first time on; with others a
 * fence counts from when it was made. The names and the rules are Perfetto's.
 */
public final class FenceTracker {
    /** A timeline with more open fences has lost its signals. */
    private static final int MAX_OPEN = 1 << 16;

    private final SliceOperations slices;
    private final ArgCollector args;
    private final int fence;
    private final int number;
    private final Map<Integer, Timeline> timelines = new HashMap<>();

    private static final class Timeline {
        final int track;
        final ArrayDeque<Long> open = new ArrayDeque<>();
        boolean recordsEmission;

        Timeline(int track) {
            this.track = track;
        }
    }

    public FenceTracker(SliceOperations slices, StringPool strings, ArgCollector args) {
        this.slices = slices;
        this.args = args;
        fence = strings.intern("fence");
        number = strings.intern("fence seqno");
    }

    public void apply(long ts, FenceStage stage, int context, long seqno) {
        Timeline timeline = timelines.get(context);
        if (timeline == null) {
            timeline = new Timeline(slices.newTrack(Slices.NOBODY));
            timelines.put(context, timeline);
        }
        switch (stage) {
            case MADE -> {
                if (!timeline.recordsEmission) {
                    open(ts, timeline, seqno);
                }
            }
            case EMITTED -> {
                if (!timeline.recordsEmission) {
                    timeline.recordsEmission = true;
                    timeline.open.clear();
                }
                open(ts, timeline, seqno);
            }
            case SIGNALED -> signaled(ts, timeline);
        }
    }

    private void open(long ts, Timeline timeline, long seqno) {
        if (timeline.open.isEmpty()) {
            begin(ts, timeline, seqno);
        }
        if (timeline.open.size() < MAX_OPEN) {
            timeline.open.add(seqno);
        }
    }

    /** Whatever number the signal has: fences of a timeline are done in the order in which they came. */
    private void signaled(long ts, Timeline timeline) {
        if (timeline.open.poll() == null) {
            return; // it came before the trace began
        }
        slices.end(ts, timeline.track);
        Long next = timeline.open.peek();
        if (next != null) {
            begin(ts, timeline, next);
        }
    }

    private void begin(long ts, Timeline timeline, long seqno) {
        slices.begin(ts, timeline.track, fence);
        slices.args(timeline.track, args.add(number, Args.Type.INT, seqno), 1);
    }
}
