package dev.unjank.trace.convert;

import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes slices as begins and ends on tracks. Slices on one track nest; those that overlap otherwise, as asynchronous
 * ones do, get as many lanes as are needed at a time. A slice is on the lane of its parent.
 */
final class SliceWriter {
    private final Trace trace;
    private final Slices slices;
    private final Flows flows;
    private final MessageQueueEvents messages;
    private final TrackEventWriter events;
    private final ThreadTracks threadTracks;

    /** The lanes of top-level slices, by owner and, for those without a thread, by name. */
    private final Map<String, List<Lane>> lanes = new HashMap<>();

    /** The flows that start at a slice. */
    private final Map<Integer, List<Integer>> departures = new HashMap<>();

    /** The lanes of open slices. */
    private final Map<Integer, Lane> laneOf = new HashMap<>();

    /** A described track, and its open slices. */
    private static final class Lane {
        final long track;
        final Deque<Integer> open = new ArrayDeque<>();

        Lane(long track) {
            this.track = track;
        }
    }

    SliceWriter(Trace trace, TrackEventWriter events, ThreadTracks threadTracks) {
        this.threadTracks = threadTracks;
        this.trace = trace;
        this.events = events;
        slices = trace.slices();
        flows = trace.flows();
        messages = trace.queueEvents();
        for (int flow = 0; flow < flows.size(); flow++) {
            departures.computeIfAbsent(flows.out(flow), _ -> new ArrayList<>()).add(flow);
        }
    }

    void write() throws IOException {
        for (int row = 0; row < slices.size(); row++) {
            Lane lane = lane(row);
            lane.open.push(row);
            laneOf.put(row, lane);
            begin(row, lane);
        }
        for (List<Lane> each : lanes.values()) {
            for (Lane lane : each) {
                endUntil(lane, -1);
            }
        }
    }

    private Lane lane(int row) throws IOException {
        int parent = slices.parent(row);
        Lane around = parent < 0 ? null : laneOf.get(parent);
        if (around != null) {
            endUntil(around, parent);
            return around;
        }
        String group = group(row);
        List<Lane> candidates = lanes.computeIfAbsent(group, _ -> new ArrayList<>());
        for (Lane lane : candidates) {
            if (isFree(lane, slices.ts(row))) {
                endUntil(lane, -1);
                return lane;
            }
        }
        Lane lane = new Lane(describe(row, group, candidates.size()));
        candidates.add(lane);
        return lane;
    }

    private String group(int row) {
        int utid = slices.utid(row);
        return utid >= 0 ? "t" + utid : "p" + slices.upid(row) + " " + slices.name(row);
    }

    /** Whether the outermost slice on a lane has ended. */
    private boolean isFree(Lane lane, long ts) {
        Integer outermost = lane.open.peekLast();
        return outermost == null || (!slices.isOpen(outermost) && slices.endNs(outermost) <= ts);
    }

    /** Ends the open slices within a slice, or all. */
    private void endUntil(Lane lane, int around) throws IOException {
        while (!lane.open.isEmpty() && lane.open.element() != around) {
            int row = lane.open.pop();
            laneOf.remove(row);
            if (!slices.isOpen(row)) {
                events.end(slices.endNs(row), lane.track).write();
            }
        }
    }

    private long describe(int row, String group, int index) throws IOException {
        int utid = slices.utid(row);
        long from = trace.startNs();
        if (utid >= 0) {
            int tid = trace.threads().tid(utid);
            int upid = trace.threads().upid(utid);
            int pid = upid < 0 ? 0 : trace.processes().pid(upid);
            long own = threadTracks.of(utid);
            // a tid may be reused, so the track is described again for its next thread
            long track = index == 0 ? own : TrackWriter.ofCounter(own, "lane " + index);
            events.tracks().threadLane(Math.max(from, trace.threads().startNs(utid)), track, pid, tid);
            return track;
        }
        int upid = slices.upid(row);
        if (upid < 0) {
            return TrackWriter.ofCounter(0, group + index); // a track without a description belongs to no process
        }
        long process = TrackWriter.ofProcess(trace.processes().pid(upid));
        long track = TrackWriter.ofCounter(process, group + index);
        events.tracks().track(from, track, process, slices.name(row));
        return track;
    }

    private void begin(int row, Lane lane) throws IOException {
        TrackEventWriter.Event event = events.begin(slices.ts(row), lane.track, slices.category(row), slices.name(row));
        for (int flow : departures.getOrDefault(row, List.of())) {
            event.flow(flow + 1L);
        }
        for (int flow = flows.first(row); flow < flows.end(row); flow++) {
            event.terminatingFlow(flow + 1L);
        }
        int message = messages.find(row);
        if (message >= 0) {
            String receiver = messages.receiver(message);
            event.messageQueue(
                    messages.sender(message),
                    receiver == null ? "" : receiver,
                    messages.code(message),
                    messages.delayMs(message));
        }
        SliceArgCopier.copy(trace.args(), row, event);
        event.write();
    }
}
