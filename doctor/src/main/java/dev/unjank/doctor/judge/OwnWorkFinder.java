package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.frame.FrameWorkloadFinder;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.CpuSamples;
import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds the missed frames that their own program's work made late: waits took less than a quarter of them. */
public final class OwnWorkFinder {
    private static final int MOST_FRAMES = 10;
    private static final Comparator<Frame> LONGEST_FIRST = LongOrder.descending(Frame::durNs);

    private final FrameWorkloadFinder work;
    private final CriticalPathFinder paths;
    private final CpuSamples samples;

    public OwnWorkFinder(Trace trace, ThreadRefFactory refs, IncidentBuilder incidents, CpuSamples samples) {
        this.samples = samples;
        this.work = new FrameWorkloadFinder(trace, refs);
        this.paths = new CriticalPathFinder(trace, refs, incidents);
    }

    /** {@return at most ten of these frames, longest first} */
    public List<OwnWorkFrame> longest(FrameCostCalculator.FrameCosts books) {
        List<OwnWorkFrame> found = new ArrayList<>();
        List<Frame> late = books.frames().stream()
                .filter(MissedFrames::isAppJank)
                .sorted(LONGEST_FIRST.thenComparingInt(Frame::id))
                .toList();
        Map<Integer, List<FrameCost>> costs = books.costs().stream()
                .filter(cost -> cost.incident().isInTraceTotals())
                .collect(Collectors.groupingBy(cost -> cost.frame().id()));
        for (Frame frame : late) {
            List<FrameCost> waits = costs.getOrDefault(frame.id(), List.of());
            if (found.size() < MOST_FRAMES && isOwnWork(frame, waits)) {
                CriticalPath path = paths.of(frame);
                found.add(new OwnWorkFrame(work.of(frame, waits), path, samples.within(LateSpans.of(path))));
            }
        }
        return found;
    }

    private static boolean isOwnWork(Frame frame, List<FrameCost> waits) {
        return waits.stream().mapToLong(FrameCost::overlapNs).sum() * 4 < frame.durNs();
    }
}
