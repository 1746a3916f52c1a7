package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.wait.OverlapSearch;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Assigns incidents to the frames of the same process that they overlap. */
public final class FrameCostCalculator {
    private final Map<Integer, List<Frame>> byProcess = new HashMap<>();

    /**
     * The frames and what their waits cost.
     *
     * @param frames the frames that were late or that cost something, in order of time, numbered
     * @param costs the costs of incidents in these frames, the greatest of a frame first
     */
    public record FrameCosts(List<Frame> frames, List<FrameCost> costs) {}

    /** Assigns incidents to frames; {@code frames} are all frames by time, numbered by index. */
    public FrameCosts book(List<Frame> frames, List<Incident> incidents) {
        frames.forEach(frame -> byProcess
                .computeIfAbsent(frame.upid(), key -> new ArrayList<>())
                .add(frame));
        Map<Integer, OverlapSearch> ends = new HashMap<>();
        List<List<FrameCost>> costsOf = new ArrayList<>(Collections.nCopies(frames.size(), List.of()));
        for (Incident incident : incidents) {
            Wait wait = incident.rootWait();
            int upid = wait.thread().upid();
            List<Frame> its = byProcess.getOrDefault(upid, List.of());
            OverlapSearch latest = ends.computeIfAbsent(upid, key -> OverlapSearch.of(its, Frame::endNs));
            int at = latest.firstAfter(wait.startNs());
            for (; at < its.size() && its.get(at).startNs() < wait.endNs(); at++) {
                Frame frame = its.get(at);
                long overlap = Math.min(frame.endNs(), wait.endNs()) - Math.max(frame.startNs(), wait.startNs());
                if (overlap > 0 && frame.isOf(wait.thread())) {
                    if (costsOf.get(frame.id()).isEmpty()) {
                        costsOf.set(frame.id(), new ArrayList<>());
                    }
                    costsOf.get(frame.id()).add(new FrameCost(frame, incident, overlap));
                }
            }
        }
        return numbered(frames, costsOf);
    }

    /** The kept frames, numbered in order, with their costs. */
    private static FrameCosts numbered(List<Frame> frames, List<List<FrameCost>> costsOf) {
        List<Frame> kept = new ArrayList<>();
        List<FrameCost> costs = new ArrayList<>();
        for (Frame frame : frames) {
            List<FrameCost> its = costsOf.get(frame.id());
            if (frame.missed() || !its.isEmpty()) {
                Frame numbered = frame.withId(kept.size());
                kept.add(numbered);
                its.stream()
                        .sorted(LongOrder.descending(FrameCost::overlapNs))
                        .forEach(cost -> costs.add(new FrameCost(numbered, cost.incident(), cost.overlapNs())));
            }
        }
        return new FrameCosts(kept, costs);
    }
}
