package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.FenceStage;
import dev.unjank.trace.model.Slices;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Turns GPU fences into slices named "fence", with one track per timeline. A fence lasts while its job is the next
 * that the GPU has to finish on the timeline. If the driver records when a job is emitted, a fence starts there,
 * otherwise when it is created. Names and rules are Perfetto's.
 */
public final class FenceTracker {
    /** With more open fences the signals of the timeline have been lost. */
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
            timeline = new Timeline(slices.newTrack(Slices.NO_OWNER));
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

    /** The number of the signal is ignored: the fences of a timeline are signaled in order. */
    private void signaled(long ts, Timeline timeline) {
        if (timeline.open.poll() == null) {
            return; // it was created before the trace began
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
