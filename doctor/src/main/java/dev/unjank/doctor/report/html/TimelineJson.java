package dev.unjank.doctor.report.html;

import static dev.unjank.doctor.report.html.PagePools.NONE;
import static dev.unjank.doctor.report.html.PagePools.numbers;

import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.report.html.Timeline.FrameSpan;
import dev.unjank.doctor.report.html.Timeline.Lane;
import dev.unjank.doctor.report.html.Timeline.Link;
import dev.unjank.doctor.report.html.Timeline.Slice;
import dev.unjank.doctor.report.html.Timeline.State;
import dev.unjank.trace.model.Frames;
import java.io.IOException;
import tools.jackson.core.JsonGenerator;

/**
 * Writes timelines: flat lists of numbers, their times relative to the drawing's beginning, those of slices to the
 * slice before, so that timelines with slices in common compress well.
 */
final class TimelineJson {
    private final JsonGenerator json;
    private final PagePools pools;
    private final long startNs;

    TimelineJson(JsonGenerator json, PagePools pools, long startNs) {
        this.json = json;
        this.pools = pools;
        this.startNs = startNs;
    }

    void write(Timeline timeline) throws IOException {
        long from = timeline.fromNs();
        json.writeStartObject();
        json.writeNumberProperty("from", from - startNs);
        json.writeNumberProperty("to", timeline.toNs() - startNs);
        json.writeArrayPropertyStart("lanes");
        for (Lane lane : timeline.lanes()) {
            write(lane, from);
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("waits");
        for (Link link : timeline.links()) {
            int kind = pools.name(link.kind().name());
            int unseen = link.unseen() == null ? NONE : pools.thread(link.unseen());
            numbers(json, link.lane(), link.ownerLane(), unseen, kind, link.startNs() - from, link.durNs());
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("frames");
        for (FrameSpan span : timeline.frames()) {
            write(span, timeline);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** States as kind and length, each beginning where the one before ended; kind {@value PagePools#NONE} for a gap. */
    private void write(Lane lane, long from) throws IOException {
        json.writeStartObject();
        json.writeNumberProperty("thread", pools.thread(lane.thread()));
        json.writeNumberProperty("priority", lane.thread().priority());
        json.writeStringProperty("role", lane.role().name());
        json.writeBooleanProperty("coarse", lane.coarse());
        json.writeArrayPropertyStart("states");
        long at = from;
        for (State state : lane.states()) {
            if (at < state.startNs()) {
                numbers(json, NONE, state.startNs() - at);
            }
            numbers(json, pools.kind(state.kind()), state.durNs());
            at = state.startNs() + state.durNs();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("slices");
        long last = from;
        for (Slice slice : lane.slices()) {
            numbers(json, slice.startNs() - last, slice.durNs(), slice.depth(), pools.name(slice.name()));
            last = slice.startNs();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Cut to the drawing; the deadline is a moment since the trace's start. */
    private void write(FrameSpan span, Timeline timeline) throws IOException {
        Frame frame = span.frame();
        long from = Math.max(frame.startNs(), timeline.fromNs());
        numbers(
                json,
                from - timeline.fromNs(),
                Math.min(frame.endNs(), timeline.toNs()) - from,
                frame.durNs(),
                span.deadlineNs() == Frames.NO_TIME ? NONE : span.deadlineNs() - startNs,
                frame.missedByNs(),
                pools.jank(frame),
                frame.missed() ? 1 : 0);
    }
}
