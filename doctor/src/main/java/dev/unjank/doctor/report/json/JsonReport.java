package dev.unjank.doctor.report.json;

import dev.unjank.doctor.judge.LockWaitTotal;
import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.WarningMessages;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes a diagnosis as one JSON object, for programs. All times are ns; start times are on the trace's clock. Unknown
 * values are null. {@code docs/reference/json.md} describes every key.
 *
 * <p>The version increases when a key is removed or its meaning changes. Keys, verdicts, states and kinds may be added
 * without a new version.
 */
public final class JsonReport {
    /** The version of the schema. */
    public static final int VERSION = 11;

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private final Diagnosis diagnosis;
    private final ReportQueries queries;
    private final JsonGenerator json;

    private JsonReport(Diagnosis diagnosis, ReportQueries queries, JsonGenerator json) {
        this.diagnosis = diagnosis;
        this.queries = queries;
        this.json = json;
    }

    /**
     * Writes a diagnosis and a line end. The writer is flushed and not closed.
     *
     * @param diagnosis the diagnosis
     * @param queries the queries over the trace
     * @param out where to
     * @throws IOException if {@code out} fails
     */
    public static void write(Diagnosis diagnosis, ReportQueries queries, Writer out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(new JsonContext(), out)) {
            new JsonReport(diagnosis, queries, json).write();
            json.writeRaw('\n');
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    private void write() throws IOException {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("trace", diagnosis.trace());
        json.writeNumberProperty("startNs", diagnosis.startNs());
        json.writeNumberProperty("durationNs", diagnosis.durationNs());
        json.writeBooleanProperty("durationDoubtful", diagnosis.isLengthDoubtful());
        RootCauses causes = RootCauseFinder.of(diagnosis);
        json.writeStringProperty("answer", JudgementMessages.of(diagnosis, causes));
        Incident worst = causes.causes().isEmpty() || diagnosis.mainFinding().workload() != null
                ? diagnosis.mainFinding().incident()
                : causes.causes().getFirst().example();
        IncidentJson.number(json, "worst", worst == null || !diagnosis.isShown(worst) ? null : worst.id());
        json.writeStringProperty("causeMeasure", causes.measure().name());
        IncidentJson.objects(json, "causes", causes.causes(), new CauseJson(causes, diagnosis.platform(), json)::write);
        blockedTime(diagnosis.blockedTime());
        IncidentJson incidents = new IncidentJson(diagnosis, queries, json);
        IncidentJson.objects(json, "incidents", diagnosis.incidents(), incident -> incidents.write(incident));
        IncidentJson.objects(json, "locks", LockWaitTotal.of(diagnosis.incidents()), lock -> incidents.write(lock));
        IncidentJson.objects(json, "frames", diagnosis.frames(), this::frame);
        IncidentJson.objects(json, "startups", diagnosis.startups(), this::startup);
        summary(diagnosis.summary());
        advice();
        IncidentJson.object(json, "ownWork", diagnosis.mainOwnWork(), this::ownWork);
        IncidentJson.objects(json, "ownWorkFrames", diagnosis.ownWorkFrames(), late -> {
            ownWork(late);
            path(late.path(), incidents);
            CauseJson.samples(json, late.samples());
        });
        json.writeStringProperty("query", queries.incidents(diagnosis));
        json.writeArrayPropertyStart("warnings");
        for (String warning : WarningMessages.of(diagnosis.warnings())) {
            json.writeString(warning);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void blockedTime(BlockedTime time) throws IOException {
        json.writeObjectPropertyStart("blockedTime");
        json.writeNumberProperty("threads", time.threads());
        json.writeNumberProperty("totalNs", time.totalNs());
        IncidentJson.objects(json, "kinds", time.kinds(), this::blockedTime);
        json.writeEndObject();
    }

    private void blockedTime(BlockedTime.KindTotal part) throws IOException {
        json.writeStringProperty("kind", part.kind().name());
        json.writeNumberProperty("threads", part.threads());
        json.writeNumberProperty("durNs", part.durNs());
    }

    private void frame(Frame frame) throws IOException {
        json.writeNumberProperty("id", frame.id());
        json.writeStringProperty("source", frame.source().name());
        IncidentJson.text(json, "process", frame.process());
        json.writeStringProperty("name", frame.name());
        IncidentJson.tid(json, frame.tid());
        json.writeBooleanProperty("display", frame.display());
        json.writeNumberProperty("startNs", frame.startNs());
        json.writeNumberProperty("durNs", frame.durNs());
        json.writeNumberProperty("missedByNs", frame.missedByNs());
        json.writeStringProperty("jankType", frame.jankType());
        json.writeNumberProperty("jankMask", frame.jankMask());
        json.writeStringProperty("presentType", frame.presented().text());
        json.writeBooleanProperty("missed", frame.missed());
        json.writeBooleanProperty("appJank", frame.isAppJank());
        Verdict cause = diagnosis.causeOf(frame);
        IncidentJson.text(json, "cause", cause == null ? null : cause.name());
        IncidentJson.objects(json, "costs", diagnosis.costsOf(frame), this::cost);
    }

    private void cost(FrameCost cost) throws IOException {
        Incident incident = cost.incident();
        IncidentJson.number(json, "incident", diagnosis.isShown(incident) ? incident.id() : null);
        json.writeNumberProperty("overlapNs", cost.overlapNs());
        json.writeStringProperty("verdict", incident.verdict().name());
    }

    private void startup(AppStartup start) throws IOException {
        json.writeNumberProperty("id", start.id());
        json.writeStringProperty("package", start.packageName());
        IncidentJson.text(json, "type", start.type());
        json.writeNumberProperty("startNs", start.startNs());
        json.writeNumberProperty("durNs", start.durNs());
        if (start.hasFirstFrame()) {
            json.writeNumberProperty("firstFrameNs", start.firstFrameNs());
        } else {
            json.writeNullProperty("firstFrameNs");
        }
        IncidentJson.objects(json, "shares", start.shares(), this::share);
    }

    private void share(AppStartup.Share share) throws IOException {
        Verdict verdict = share.verdict();
        json.writeStringProperty("cause", share.cause().name());
        IncidentJson.text(json, "verdict", verdict == null ? null : verdict.name());
        json.writeNumberProperty("durNs", share.durNs());
    }

    private void summary(Summary summary) throws IOException {
        json.writeObjectPropertyStart("summary");
        json.writeNumberProperty("lockWaits", summary.lockWaits());
        json.writeNumberProperty("lockWaitNs", summary.lockWaitNs());
        json.writeNumberProperty("longestLockWaitNs", summary.longestLockWaitNs());
        json.writeNumberProperty("monitorWaits", summary.monitorWaits());
        json.writeNumberProperty("monitorWaitNs", summary.monitorWaitNs());
        IncidentJson.object(json, "inversions", summary.inversions(), this::inversions);
        json.writeNumberProperty("frames", summary.frames());
        json.writeNumberProperty("missedFrames", summary.missedFrames());
        json.writeNumberProperty("displayFrames", summary.displayFrames());
        json.writeNumberProperty("missedDisplayFrames", summary.missedDisplayFrames());
        IncidentJson.objects(json, "verdicts", summary.verdicts(), this::total);
        json.writeEndObject();
    }

    private void inversions(Summary.Inversions inversions) {
        json.writeNumberProperty("from1To10Ms", inversions.from1To10Ms());
        json.writeNumberProperty("from10To16Ms", inversions.from10To16Ms());
        json.writeNumberProperty("over16Ms", inversions.over16Ms());
        json.writeNumberProperty("longestNs", inversions.longestNs());
    }

    private void total(Summary.Total total) throws IOException {
        json.writeStringProperty("verdict", total.verdict().name());
        json.writeNumberProperty("incidents", total.incidents());
        json.writeNumberProperty("durNs", total.durNs());
    }

    /** Writes the advice for each verdict that was given. */
    private void advice() throws IOException {
        json.writeObjectPropertyStart("advice");
        for (Verdict verdict : Advice.order(diagnosis)) {
            List<String> steps = Advice.of(verdict, diagnosis);
            json.writeArrayPropertyStart(verdict.name());
            for (String step : steps) {
                json.writeString(step);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void ownWork(OwnWorkFrame late) throws IOException {
        FrameWorkload work = late.work();
        json.writeNumberProperty("frame", work.frame().id());
        json.writeNumberProperty("waitedNs", work.waitNs());
        json.writeNumberProperty("ranNs", work.runningNs());
        json.writeNumberProperty(
                "sleptNs", work.sleep() == null ? 0 : work.sleep().durNs());
        json.writeStringProperty("next", Advice.of(late, diagnosis.platform()));
    }

    private void path(CriticalPath path, IncidentJson incidents) throws IOException {
        IncidentJson.objects(json, "path", path.intervals(), interval -> {
            incidents.identity(interval.owner().thread());
            json.writeNumberProperty("startNs", interval.startNs());
            json.writeNumberProperty("durNs", interval.durNs());
            json.writeStringProperty("evidence", interval.owner().evidence().name());
        });
        IncidentJson.objects(json, "threads", path.threads(), work -> {
            incidents.identity(work.thread());
            json.writeNumberProperty("durNs", work.durNs());
            IncidentJson.objects(json, "states", work.states(), incidents::state);
            IncidentJson.objects(json, "slices", work.slices(), this::slice);
        });
    }

    private void slice(CriticalPath.PathSlice slice) throws IOException {
        json.writeStringProperty("name", slice.name());
        json.writeNumberProperty("depth", slice.depth());
        json.writeNumberProperty("durNs", slice.durNs());
        json.writeNumberProperty("ownNs", slice.ownNs());
    }
}
