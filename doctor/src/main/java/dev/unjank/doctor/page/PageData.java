package dev.unjank.doctor.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.unjank.doctor.Advice;
import dev.unjank.doctor.Culprit;
import dev.unjank.doctor.Diagnosis;
import dev.unjank.doctor.Frame;
import dev.unjank.doctor.FrameCost;
import dev.unjank.doctor.Incident;
import dev.unjank.doctor.Owner;
import dev.unjank.doctor.OwnerState;
import dev.unjank.doctor.Site;
import dev.unjank.doctor.StartUp;
import dev.unjank.doctor.Summary;
import dev.unjank.doctor.ThreadRef;
import dev.unjank.doctor.Verdict;
import dev.unjank.doctor.Wait;
import dev.unjank.doctor.Words;
import dev.unjank.doctor.page.Timeline.Lane;
import dev.unjank.trace.Frames;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Trace;
import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the page's script reads: one JSON object. The incidents are columns, an array per fact, since there may be many;
 * texts, threads and kinds of states are written once, in pools, and are numbers elsewhere, {@value #NONE} for none. Times are
 * ns since the trace's start.
 *
 * <p>The size is bounded: {@link #MOST_INCIDENTS} incidents, and timelines only as long as {@link #MOST_DRAWN} things are not
 * exceeded. What is left out, the shortest, is counted.
 */
final class PageData {
    /** A list of more is of no use to anybody. */
    static final int MOST_INCIDENTS = 20_000;

    /** Some 6 MB. */
    static final int MOST_DRAWN = 500_000;

    private static final int NONE = -1;
    private static final int MOST_CULPRITS = 8;

    /** What a table can hold that somebody reads from the top. */
    private static final int MOST_FRAMES = 500;

    private static final JsonFactory JSON = new JsonFactory();

    private final Diagnosis diagnosis;
    private final List<Incident> incidents;
    private final TimelineModel model;
    private final Pool<String> texts = new Pool<>();
    private final Pool<Who> threads = new Pool<>();
    private final Pool<Timeline.Kind> kinds = new Pool<>();

    /** A thread whatever its priority is at the moment. */
    private record Who(int tid, String name, @Nullable String process, boolean main) {}

    PageData(Diagnosis diagnosis, Trace trace) {
        this.diagnosis = diagnosis;
        this.incidents = diagnosis
                .incidents()
                .subList(0, Math.min(MOST_INCIDENTS, diagnosis.incidents().size()));
        this.model = new TimelineModel(diagnosis, trace);
    }

    void writeTo(Writer out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.setCharacterEscapes(new ScriptSafeEscapes());
            json.writeStartObject();
            json.writeStringField("trace", SafeText.of(diagnosis.trace(), SafeText.NAME));
            json.writeNumberField("dur", diagnosis.durationNs());
            json.writeNumberField("start", diagnosis.startNs());
            json.writeNumberField("noPriority", ThreadStates.NO_PRIORITY);
            json.writeNumberField("left", diagnosis.incidents().size() - incidents.size());
            texts(json, "warnings", diagnosis.warnings());
            verdicts(json);
            json.writeObjectFieldStart("incidents");
            columns(json);
            json.writeEndObject();
            timelines(json);
            frames(json);
            startUps(json);
            summary(json, diagnosis.summary());
            pools(json);
            json.writeEndObject();
        }
    }

    /** Those that were given, with what to do about them. */
    private void verdicts(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("verdicts");
        for (Verdict verdict : Verdict.values()) {
            Advice advice = Advice.of(verdict);
            json.writeStartObject();
            json.writeStringField("name", verdict.name());
            texts(json, "steps", advice.steps());
            json.writeStringField("query", advice.query());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void columns(JsonGenerator json) throws IOException {
        column(json, "at", incident -> sinceStart(incident.tree().startNs()));
        column(json, "dur", incident -> incident.tree().durNs());
        column(json, "free", incident -> incident.tree().wakeDelayNs());
        column(json, "unfinished", incident -> incident.tree().unfinished() ? 1 : 0);
        column(json, "verdict", incident -> incident.verdict().ordinal());
        column(json, "title", incident -> name(Words.verdict(incident.judgement())));
        column(json, "evidence", incident -> prose(evidence(incident)));
        column(json, "thread", incident -> thread(incident.tree().thread()));
        column(json, "priority", incident -> priority(incident.tree().thread()));
        column(json, "lock", incident -> name(incident.tree().what()));
        column(json, "site", incident -> method(incident.tree().site()));
        column(json, "source", incident -> source(incident.tree().site()));
        column(json, "owner", incident -> thread(incident.owner().thread()));
        column(json, "blamed", incident -> thread(incident.judgement().blamed()));
        column(json, "story", incident -> prose(Words.whatTheOwnerDid(incident)));
        column(json, "why", incident -> prose(Words.meaning(incident)));
        lists(json, "chain", this::chain);
        lists(json, "states", PageData::states);
        lists(json, "culprits", this::culprits);
    }

    private static String evidence(Incident incident) {
        return incident.judgement().evidence() + ": "
                + Words.evidence(incident.judgement().evidence());
    }

    private void column(JsonGenerator json, String name, ToLongFunction<Incident> value) throws IOException {
        json.writeArrayFieldStart(name);
        for (Incident incident : incidents) {
            json.writeNumber(value.applyAsLong(incident));
        }
        json.writeEndArray();
    }

    private interface ListWriter {
        void write(JsonGenerator json, Incident incident) throws IOException;
    }

    private void lists(JsonGenerator json, String name, ListWriter list) throws IOException {
        json.writeArrayFieldStart(name);
        for (Incident incident : incidents) {
            json.writeStartArray();
            list.write(json, incident);
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    /** Per owner: who, at which priority, where it took the lock, and for how long it was waited for, where. */
    private void chain(JsonGenerator json, Incident incident) throws IOException {
        for (Wait wait : incident.chain()) {
            Owner owner = wait.longestTenure().owner();
            numbers(
                    json,
                    thread(owner.thread()),
                    priority(owner.thread()),
                    method(owner.site()),
                    source(owner.site()),
                    wait.durNs(),
                    wait.site() == null ? name(wait.what()) : method(wait.site()));
        }
    }

    /** Per state: which, for how long, how much of that counts, and in what mostly. */
    private static void states(JsonGenerator json, Incident incident) throws IOException {
        for (Incident.StateTime time : incident.ownerStates()) {
            numbers(json, time.state().ordinal(), time.durNs());
        }
    }

    /** Per thread that ran instead: who, at which priority, for how long. */
    private void culprits(JsonGenerator json, Incident incident) throws IOException {
        List<Culprit> culprits = incident.culprits();
        for (Culprit culprit : culprits.subList(0, Math.min(MOST_CULPRITS, culprits.size()))) {
            numbers(json, thread(culprit.thread()), priority(culprit.thread()), culprit.ranNs());
        }
    }

    private void timelines(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("timelines");
        int drawn = 0;
        for (Incident incident : incidents) {
            if (drawn > MOST_DRAWN) {
                break;
            }
            Timeline timeline = model.of(incident);
            drawn += timeline.size();
            timeline(json, timeline);
        }
        json.writeEndArray();
    }

    private void timeline(JsonGenerator json, Timeline timeline) throws IOException {
        json.writeStartObject();
        json.writeNumberField("from", sinceStart(timeline.fromNs()));
        json.writeNumberField("to", sinceStart(timeline.toNs()));
        json.writeArrayFieldStart("lanes");
        for (Lane lane : timeline.lanes()) {
            lane(json, lane, timeline.fromNs());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("waits");
        for (Timeline.Link link : timeline.links()) {
            numbers(
                    json,
                    link.lane(),
                    link.ownerLane(),
                    name(link.kind().text()),
                    link.startNs() - timeline.fromNs(),
                    link.durNs());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("frames");
        for (Timeline.FrameSpan span : timeline.frames()) {
            frame(json, span, timeline);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Cut to the drawing; the deadline is a moment since the trace's start. */
    private void frame(JsonGenerator json, Timeline.FrameSpan span, Timeline timeline) throws IOException {
        Frame frame = span.frame();
        long from = Math.max(frame.startNs(), timeline.fromNs());
        numbers(
                json,
                from - timeline.fromNs(),
                Math.min(frame.endNs(), timeline.toNs()) - from,
                span.deadlineNs() == Frames.NO_TIME ? NONE : sinceStart(span.deadlineNs()),
                frame.lateNs(),
                name(frame.jankType()),
                frame.missed() ? 1 : 0,
                frame.id());
    }

    /** States as kind and length, each beginning where the one before ended; kind {@value #NONE} for a gap. */
    private void lane(JsonGenerator json, Lane lane, long from) throws IOException {
        json.writeStartObject();
        json.writeNumberField("thread", thread(lane.thread()));
        json.writeNumberField("priority", priority(lane.thread()));
        json.writeNumberField("role", lane.role().ordinal());
        json.writeBooleanField("coarse", lane.coarse());
        json.writeArrayFieldStart("states");
        long at = from;
        for (Timeline.State state : lane.states()) {
            if (at < state.startNs()) {
                numbers(json, NONE, state.startNs() - at);
            }
            numbers(json, kinds.number(state.kind()), state.durNs());
            at = state.startNs() + state.durNs();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("slices");
        for (Timeline.Slice slice : lane.slices()) {
            numbers(json, slice.startNs() - from, slice.durNs(), slice.depth(), name(slice.name()));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Those that somebody saw to be late, and those that an incident cost time, the latest first. */
    private void frames(JsonGenerator json) throws IOException {
        Map<Integer, List<FrameCost>> costs = diagnosis.costs().stream()
                .filter(cost -> cost.incident().id() < incidents.size())
                .collect(Collectors.groupingBy(cost -> cost.frame().id()));
        List<Frame> worst = diagnosis.frames().stream()
                .filter(frame -> frame.missed() || costs.containsKey(frame.id()))
                .sorted(Comparator.comparing((Frame frame) -> !frame.missed())
                        .thenComparing(Comparator.comparingLong(Frame::lateNs).reversed())
                        .thenComparing(Comparator.comparingLong(Frame::durNs).reversed()))
                .toList();
        json.writeNumberField("framesLeft", Math.max(0, worst.size() - MOST_FRAMES));
        json.writeArrayFieldStart("frames");
        for (Frame frame : worst.subList(0, Math.min(MOST_FRAMES, worst.size()))) {
            json.writeStartObject();
            json.writeNumberField("at", sinceStart(frame.startNs()));
            json.writeNumberField("dur", frame.durNs());
            json.writeNumberField("late", frame.lateNs());
            json.writeNumberField("process", name(frame.process()));
            json.writeNumberField("name", name(frame.name()));
            json.writeNumberField("jank", name(frame.jankType()));
            json.writeBooleanField("missed", frame.missed());
            json.writeArrayFieldStart("costs");
            for (FrameCost cost : costs.getOrDefault(frame.id(), List.of())) {
                numbers(json, cost.incident().id(), cost.overlapNs());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void startUps(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("startUps");
        for (StartUp startUp : diagnosis.startUps()) {
            json.writeStartObject();
            json.writeNumberField("app", name(startUp.packageName()));
            json.writeNumberField("type", name(startUp.type()));
            json.writeNumberField("at", sinceStart(startUp.startNs()));
            json.writeNumberField("dur", startUp.durNs());
            json.writeNumberField("firstFrame", startUp.firstFrameNs() - startUp.startNs());
            json.writeArrayFieldStart("shares");
            for (StartUp.Share share : startUp.shares()) {
                numbers(
                        json,
                        name(share.cause().name()),
                        share.verdict() == null ? NONE : share.verdict().ordinal(),
                        share.durNs());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void summary(JsonGenerator json, Summary summary) throws IOException {
        Summary.Inversions inversions = summary.inversions();
        json.writeObjectFieldStart("summary");
        json.writeNumberField("lockWaits", summary.lockWaits());
        json.writeNumberField("lockWaitNs", summary.lockWaitNs());
        json.writeNumberField("longestLockWaitNs", summary.longestLockWaitNs());
        json.writeArrayFieldStart("inversions");
        numbers(json, inversions.from1To10Ms(), inversions.from10To16Ms(), inversions.over16Ms(), inversions.longestNs());
        json.writeEndArray();
        json.writeNumberField("frames", summary.frames());
        json.writeNumberField("missedFrames", summary.missedFrames());
        json.writeEndObject();
    }

    /** Last, when all is known that goes into them. */
    private void pools(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("kinds"); // they may name further threads
        for (Timeline.Kind kind : kinds.values()) {
            json.writeStartArray();
            numbers(
                    json,
                    kind.state().ordinal(),
                    kind.cpu(),
                    kind.priority(),
                    name(kind.function()),
                    kind.waker() == null ? NONE : thread(kind.waker()));
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("threads"); // they may have further texts
        for (Who who : threads.values()) {
            json.writeStartArray();
            numbers(json, who.tid(), name(who.name()), name(who.process()), who.main() ? 1 : 0);
            json.writeEndArray();
        }
        json.writeEndArray();
        texts(json, "texts", texts.values());
        json.writeArrayFieldStart("stateNames");
        for (OwnerState state : OwnerState.values()) {
            json.writeStartArray();
            json.writeString(state.name());
            json.writeString(Words.label(state));
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private static void texts(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(SafeText.of(value, 2 * SafeText.PROSE));
        }
        json.writeEndArray();
    }

    private static void numbers(JsonGenerator json, long... numbers) throws IOException {
        for (long number : numbers) {
            json.writeNumber(number);
        }
    }

    private long sinceStart(long ns) {
        return ns - diagnosis.startNs();
    }

    private int name(@Nullable String text) {
        return text == null ? NONE : texts.number(SafeText.of(text, SafeText.NAME));
    }

    private int prose(String text) {
        return texts.number(SafeText.of(text, SafeText.PROSE));
    }

    private int method(@Nullable Site site) {
        return site == null ? NONE : name(site.method());
    }

    private int source(@Nullable Site site) {
        return site == null ? NONE : name(Words.source(site));
    }

    private int thread(ThreadRef thread) {
        return threads.number(new Who(thread.tid(), Words.name(thread), thread.process(), thread.main()));
    }

    private static int priority(ThreadRef thread) {
        return thread.priority();
    }
}
