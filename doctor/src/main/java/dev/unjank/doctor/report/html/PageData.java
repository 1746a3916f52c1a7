package dev.unjank.doctor.report.html;

import dev.unjank.doctor.judge.LockWaitTotal;
import dev.unjank.doctor.judge.MissedFrames;
import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.MainFinding;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.AppStartupMessages;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.LockMessages;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.report.ReportForm;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes what the page's script reads: one JSON object. The incidents are columns, an array per fact, since there may
 * be many; texts, threads and kinds of states are written once, in {@link PagePools}. Times are ns since the trace's
 * start.
 *
 * <p>The size is bounded: {@link #MOST_INCIDENTS} incidents, and timelines only as long as {@link #MOST_DRAWN} things
 * are not exceeded. The shortest ones are left out and counted.
 */
final class PageData {
    /** A longer list is of no use. */
    static final int MOST_INCIDENTS = 20_000;

    /** Some 6 MB. */
    static final int MOST_DRAWN = 500_000;

    /** The longest table that is read from the top. */
    private static final int MOST_FRAMES = 500;

    /** Waits for further locks are short. */
    private static final int MOST_LOCKS = 10;

    /** The keys of the messages that the script uses. */
    private static final Pattern SCRIPT_MESSAGES =
            Pattern.compile("(page|cause|count|frames|kind|state|text|thread|trace)\\..*|nothing\\.frames"
                    + "|label\\.(blockedTime|waiterStack|ownerStack|ownerStates|occurrences)");

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private final Diagnosis diagnosis;
    private final List<Incident> incidents;
    private final TimelineBuilder model;
    private final ReportQueries queries;
    private final PagePools pools = new PagePools();

    PageData(Diagnosis diagnosis, Trace trace, ReportQueries queries) {
        this.diagnosis = diagnosis;
        this.queries = queries;
        this.incidents = diagnosis
                .incidents()
                .subList(0, Math.min(MOST_INCIDENTS, diagnosis.incidents().size()));
        this.model = new TimelineBuilder(diagnosis, trace);
    }

    void writeTo(OutputStream out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("trace", TerminalText.withSymbols(TerminalText.start(diagnosis.trace())));
            json.writeNumberProperty("dur", diagnosis.durationNs());
            json.writeBooleanProperty("isLengthDoubtful", diagnosis.isLengthDoubtful());
            json.writeStringProperty(
                    "start", Long.toString(diagnosis.startNs())); // more digits than a script's number has
            json.writeNumberProperty("noPriority", ThreadStates.NO_PRIORITY);
            json.writeNumberProperty("left", diagnosis.incidents().size() - incidents.size());
            json.writeNumberProperty("worst", worst());
            answer(json, form());
            json.writeStringProperty("summarized", MessageCatalogue.summarizedThreads(diagnosis));
            json.writeStringProperty("query", queries.incidents(diagnosis));
            json.writeStringProperty("command", TerminalText.withSymbols(queries.command()));
            frameNames(json, diagnosis.platform());
            PagePools.texts(
                    json,
                    "warnings",
                    WarningMessages.of(diagnosis.warnings()).stream()
                            .map(TerminalText::start)
                            .toList());
            OwnWorkFrame late = diagnosis.mainOwnWork();
            if (late != null) {
                json.writeStringProperty("ownWork", Advice.of(late, diagnosis.platform()));
            }
            verdicts(json);
            PagePools.texts(
                    json,
                    "advised",
                    Advice.order(diagnosis).stream().map(Verdict::name).toList());
            messages(json);
            json.writeObjectPropertyStart("incidents");
            new IncidentColumns(json, pools, incidents, diagnosis).write();
            json.writeEndObject();
            new PageCauses(json, pools, diagnosis).write(incidents.size());
            timelines(json);
            frames(json);
            startups(json);
            summary(json, diagnosis.summary());
            blockedTime(json, diagnosis.blockedTime());
            locks(json);
            pools.writeTo(json);
            json.writeEndObject();
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    private static void frameNames(JsonGenerator json, Platform platform) throws IOException {
        json.writeBooleanProperty("isLooper", platform == Platform.JVM);
        json.writeStringProperty("frame", MessageCatalogue.frame(platform));
        json.writeStringProperty("framesName", MessageCatalogue.frames(platform));
        json.writeStringProperty("frameLabel", Messages.of("label.frame." + platform));
        json.writeStringProperty("framesLabel", Messages.of("label.frames." + platform));
    }

    private static void answer(JsonGenerator json, ReportForm form) throws IOException {
        json.writeObjectPropertyStart("answer");
        PagePools.texts(json, "summary", form.summary());
        PagePools.texts(
                json,
                "labels",
                form.fields().stream().map(ReportForm.Field::label).toList());
        PagePools.texts(
                json,
                "values",
                form.fields().stream().map(ReportForm.Field::value).toList());
        json.writeEndObject();
    }

    /** The form of the text report, with the incident that the page shows first. */
    private ReportForm form() {
        MainFinding finding = diagnosis.mainFinding();
        if (diagnosis.incidents().isEmpty() || finding.workload() != null) {
            return JudgementMessages.form(diagnosis);
        }
        ReportForm form = JudgementMessages.form(diagnosis, RootCauseFinder.of(diagnosis));
        Incident first = finding.incident();
        if (first == null || !diagnosis.isShown(first)) {
            return form;
        }
        String label = MessageCatalogue.label(first.judgement());
        List<ReportForm.Field> fields = new ArrayList<>(form.fields());
        fields.add(new ReportForm.Field(
                Messages.of("label.firstIncident"), Messages.of("summary.number", label, first.id())));
        return new ReportForm(form.summary(), fields);
    }

    /** The row of the incident that the answer is about, which is shown first; without such a one the first. */
    private int worst() {
        Incident worst = diagnosis.mainFinding().incident();
        return worst == null ? 0 : Math.max(0, pageRow(worst));
    }

    /** The index of an incident on the page; none if the page does not have it. */
    private int pageRow(Incident incident) {
        return incident.id() <= incidents.size() ? incident.id() - 1 : PagePools.NONE;
    }

    /** All that there are, with what to do about them. */
    private void verdicts(JsonGenerator json) throws IOException {
        json.writeObjectPropertyStart("verdicts");
        for (Verdict verdict : Verdict.values()) {
            json.writeObjectPropertyStart(verdict.name());
            PagePools.texts(json, "steps", Advice.of(verdict, diagnosis));
            json.writeStringProperty("query", queries.evidence(verdict, diagnosis.platform()));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void messages(JsonGenerator json) throws IOException {
        json.writeObjectPropertyStart("messages");
        for (Map.Entry<String, String> message :
                Messages.matching(SCRIPT_MESSAGES).entrySet()) {
            json.writeStringProperty(message.getKey(), message.getValue());
        }
        json.writeEndObject();
    }

    /**
     * The timelines of the first incidents, in the order of their start: those with slices in common are neighbours.
     */
    private void timelines(JsonGenerator json) throws IOException {
        TimelineJson writer = new TimelineJson(json, pools, diagnosis.startNs());
        List<Drawn> drawn = new ArrayList<>();
        int size = 0;
        for (Incident incident : incidents) {
            if (size > MOST_DRAWN) {
                break;
            }
            Timeline timeline = model.of(incident);
            size += timeline.size();
            drawn.add(new Drawn(incident, timeline));
        }
        drawn.sort(LongOrder.ascending(one -> one.incident().rootWait().startNs()));
        json.writeArrayPropertyStart("timelines");
        for (Drawn one : drawn) {
            writer.write(one.timeline());
        }
        json.writeEndArray();
    }

    private record Drawn(Incident incident, Timeline timeline) {}

    /** The missed frames, and those that an incident cost time, in the order of the text. */
    private void frames(JsonGenerator json) throws IOException {
        Map<Integer, List<FrameCost>> costs = diagnosis.costs().stream()
                .collect(Collectors.groupingBy(cost -> cost.frame().id()));
        List<Frame> worst = diagnosis.frames().stream()
                .filter(frame -> frame.missed() || costs.containsKey(frame.id()))
                .sorted(MissedFrames.order(diagnosis))
                .toList();
        json.writeNumberProperty("framesLeft", Math.max(0, worst.size() - MOST_FRAMES));
        json.writeArrayPropertyStart("frames");
        for (Frame frame : worst.subList(0, Math.min(MOST_FRAMES, worst.size()))) {
            json.writeStartObject();
            json.writeNumberProperty("at", sinceStart(frame.startNs()));
            json.writeNumberProperty("dur", frame.durNs());
            json.writeNumberProperty("missedBy", frame.missedByNs());
            json.writeNumberProperty("process", pools.prose(MessageCatalogue.program(frame)));
            json.writeNumberProperty("name", pools.name(frame.name()));
            json.writeNumberProperty("jank", pools.jank(frame));
            json.writeNumberProperty("presented", pools.name(presented(frame)));
            json.writeBooleanProperty("display", frame.display());
            json.writeBooleanProperty("missed", frame.missed());
            Verdict cause = diagnosis.causeOf(frame);
            json.writeNumberProperty("cause", cause == null ? PagePools.NONE : pools.name(cause.name()));
            json.writeArrayPropertyStart("costs");
            for (FrameCost cost : costs.getOrDefault(frame.id(), List.of())) {
                PagePools.numbers(
                        json,
                        pageRow(cost.incident()),
                        cost.overlapNs(),
                        pools.name(cost.incident().verdict().name()));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Null if it is not recorded. */
    private static @Nullable String presented(Frame frame) {
        return frame.presented() == PresentType.UNSPECIFIED
                ? null
                : frame.presented().text();
    }

    private void startups(JsonGenerator json) throws IOException {
        json.writeArrayPropertyStart("startups");
        for (AppStartup startup : diagnosis.startups()) {
            json.writeStartObject();
            json.writeNumberProperty("app", pools.name(startup.packageName()));
            json.writeNumberProperty("type", pools.name(startup.type()));
            json.writeNumberProperty("at", sinceStart(startup.startNs()));
            json.writeNumberProperty("length", pools.prose(AppStartupMessages.length(startup)));
            json.writeNumberProperty("untilDrawn", startup.timeToInitialDisplayNs());
            json.writeArrayPropertyStart("shares");
            for (AppStartup.Share share : startup.shares()) {
                PagePools.numbers(
                        json,
                        pools.name(share.cause().name()),
                        pools.prose(AppStartupMessages.cause(share.cause())),
                        share.verdict() == null
                                ? PagePools.NONE
                                : pools.name(share.verdict().name()),
                        share.durNs());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void summary(JsonGenerator json, Summary summary) throws IOException {
        json.writeObjectPropertyStart("summary");
        json.writeNumberProperty("lockWaits", summary.lockWaits());
        json.writeNumberProperty("lockWaitNs", summary.lockWaitNs());
        json.writeNumberProperty("longestLockWaitNs", summary.longestLockWaitNs());
        json.writeNumberProperty("monitorWaits", summary.monitorWaits());
        json.writeNumberProperty("monitorWaitNs", summary.monitorWaitNs());
        inversions(json, summary.inversions());
        json.writeNumberProperty("frames", summary.frames());
        json.writeNumberProperty("missedFrames", summary.missedFrames());
        json.writeNumberProperty("displayFrames", summary.displayFrames());
        json.writeNumberProperty("missedDisplayFrames", summary.missedDisplayFrames());
        json.writeEndObject();
    }

    private static void inversions(JsonGenerator json, Summary.@Nullable Inversions inversions) throws IOException {
        if (inversions == null) {
            json.writeNullProperty("inversions");
            return;
        }
        json.writeArrayPropertyStart("inversions");
        PagePools.numbers(
                json,
                inversions.from1To10Ms(),
                inversions.from10To16Ms(),
                inversions.over16Ms(),
                inversions.longestNs());
        json.writeEndArray();
    }

    /** Per kind: how many threads were blocked, for how long in all, and whether they were idle. */
    private void blockedTime(JsonGenerator json, BlockedTime time) throws IOException {
        json.writeArrayPropertyStart("blockedTime");
        for (BlockedTime.KindTotal part : time.kinds()) {
            PagePools.numbers(
                    json,
                    pools.prose(Messages.of("blocked." + part.kind())),
                    part.threads(),
                    part.durNs(),
                    part.kind() == BlockedKind.IDLE ? 1 : 0);
        }
        json.writeEndArray();
    }

    /** The lock, its waits, their total and longest duration, and the owner of the longest. */
    private void locks(JsonGenerator json) throws IOException {
        List<LockWaitTotal> locks = LockWaitTotal.of(diagnosis.incidents());
        json.writeNumberProperty("locksLeft", Math.max(0, locks.size() - MOST_LOCKS));
        json.writeArrayPropertyStart("locks");
        for (LockWaitTotal lock : locks.subList(0, Math.min(MOST_LOCKS, locks.size()))) {
            PagePools.numbers(
                    json,
                    pools.prose(LockMessages.name(lock, diagnosis.platform())),
                    lock.waits(),
                    lock.durNs(),
                    lock.longest().rootWait().durNs(),
                    pools.prose(LockMessages.holder(lock)));
        }
        json.writeEndArray();
    }

    private long sinceStart(long ns) {
        return ns - diagnosis.startNs();
    }
}
