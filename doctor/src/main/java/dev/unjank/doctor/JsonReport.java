package dev.unjank.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a diagnosis as one JSON object, for programs. All times are ns; start times are on the trace's clock. What the trace
 * does not tell is null. {@code docs/doctor.md} describes every key.
 *
 * <p>The version counts changes that a reader must know of: a key that goes, or means something else. Keys and names of verdicts,
 * states and kinds may be added without a new version.
 */
public final class JsonReport {
    /** The version of what is written. */
    public static final int VERSION = 7;

    private static final JsonFactory JSON = new JsonFactory();

    private final Diagnosis diagnosis;
    private final JsonGenerator json;

    private JsonReport(Diagnosis diagnosis, JsonGenerator json) {
        this.diagnosis = diagnosis;
        this.json = json;
    }

    /**
     * Writes a diagnosis and a line end. The writer is flushed and not closed.
     *
     * @param diagnosis the diagnosis
     * @param out where to
     * @throws IOException if {@code out} fails
     */
    public static void write(Diagnosis diagnosis, Writer out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.setPrettyPrinter(new DefaultPrettyPrinter()
                    .withObjectIndenter(new DefaultIndenter("  ", "\n"))
                    .withArrayIndenter(new DefaultIndenter("  ", "\n")));
            new JsonReport(diagnosis, json).write();
            json.writeRaw('\n');
        }
    }

    private void write() throws IOException {
        json.writeStartObject();
        json.writeNumberField("version", VERSION);
        json.writeStringField("trace", diagnosis.trace());
        json.writeNumberField("startNs", diagnosis.startNs());
        json.writeNumberField("durationNs", diagnosis.durationNs());
        json.writeBooleanField("durationDoubtful", diagnosis.isLengthDoubtful());
        json.writeStringField("answer", Answer.of(diagnosis));
        Incident worst = diagnosis.headline().incident();
        IncidentJson.number(json, "worst", worst == null || !diagnosis.isShown(worst) ? null : worst.id());
        IncidentJson incidents = new IncidentJson(diagnosis, json);
        json.writeArrayFieldStart("incidents");
        for (Incident incident : diagnosis.incidents()) {
            incidents.write(incident);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("locks");
        for (LockTotal lock : LockTotal.of(diagnosis.incidents())) {
            incidents.write(lock);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("frames");
        for (Frame frame : diagnosis.frames()) {
            frame(frame);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("startUps");
        for (StartUp start : diagnosis.startUps()) {
            startUp(start);
        }
        json.writeEndArray();
        summary(diagnosis.summary());
        advice();
        ownWork(diagnosis.headline().ownWork());
        json.writeStringField("query", diagnosis.search().query());
        json.writeArrayFieldStart("warnings");
        for (String warning : diagnosis.warnings()) {
            json.writeString(warning);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void frame(Frame frame) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", frame.id());
        json.writeStringField("source", frame.source().name());
        IncidentJson.text(json, "process", frame.process());
        json.writeStringField("name", frame.name());
        json.writeBooleanField("display", frame.display());
        json.writeNumberField("startNs", frame.startNs());
        json.writeNumberField("durNs", frame.durNs());
        json.writeNumberField("lateNs", frame.lateNs());
        json.writeStringField("jankType", frame.jankType());
        json.writeNumberField("jankMask", frame.jankMask());
        json.writeStringField("presentType", frame.presented().text());
        json.writeBooleanField("missed", frame.missed());
        json.writeBooleanField("appsFault", frame.appsFault());
        Verdict cause = diagnosis.causeOf(frame);
        IncidentJson.text(json, "cause", cause == null ? null : cause.name());
        json.writeArrayFieldStart("costs");
        for (FrameCost cost : diagnosis.costsOf(frame)) {
            json.writeStartObject();
            Incident incident = cost.incident();
            IncidentJson.number(json, "incident", diagnosis.isShown(incident) ? incident.id() : null);
            json.writeNumberField("overlapNs", cost.overlapNs());
            json.writeStringField("verdict", incident.verdict().name());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void startUp(StartUp start) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", start.id());
        json.writeStringField("package", start.packageName());
        IncidentJson.text(json, "type", start.type());
        json.writeNumberField("startNs", start.startNs());
        json.writeNumberField("durNs", start.durNs());
        if (start.drew()) {
            json.writeNumberField("firstFrameNs", start.untilNs());
        } else {
            json.writeNullField("firstFrameNs");
        }
        json.writeArrayFieldStart("shares");
        for (StartUp.Share share : start.shares()) {
            json.writeStartObject();
            json.writeStringField("cause", share.cause().name());
            IncidentJson.text(
                    json,
                    "verdict",
                    share.verdict() == null ? null : share.verdict().name());
            json.writeNumberField("durNs", share.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void summary(Summary summary) throws IOException {
        json.writeObjectFieldStart("summary");
        json.writeNumberField("lockWaits", summary.lockWaits());
        json.writeNumberField("lockWaitNs", summary.lockWaitNs());
        json.writeNumberField("longestLockWaitNs", summary.longestLockWaitNs());
        json.writeNumberField("monitorWaits", summary.monitorWaits());
        json.writeNumberField("monitorWaitNs", summary.monitorWaitNs());
        json.writeObjectFieldStart("inversions");
        json.writeNumberField("from1To10Ms", summary.inversions().from1To10Ms());
        json.writeNumberField("from10To16Ms", summary.inversions().from10To16Ms());
        json.writeNumberField("over16Ms", summary.inversions().over16Ms());
        json.writeNumberField("longestNs", summary.inversions().longestNs());
        json.writeEndObject();
        json.writeNumberField("frames", summary.frames());
        json.writeNumberField("missedFrames", summary.missedFrames());
        json.writeNumberField("displayFrames", summary.displayFrames());
        json.writeNumberField("missedDisplayFrames", summary.missedDisplayFrames());
        json.writeArrayFieldStart("verdicts");
        for (Summary.Total total : summary.verdicts()) {
            json.writeStartObject();
            json.writeStringField("verdict", total.verdict().name());
            json.writeNumberField("incidents", total.incidents());
            json.writeNumberField("durNs", total.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** What to do about each verdict that was given. */
    private void advice() throws IOException {
        json.writeObjectFieldStart("advice");
        for (Verdict verdict : Advice.order(diagnosis)) {
            List<String> steps = Advice.of(verdict, diagnosis).steps();
            json.writeArrayFieldStart(verdict.name());
            for (String step : steps) {
                json.writeString(step);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void ownWork(@Nullable OwnWork work) throws IOException {
        if (work == null) {
            json.writeNullField("ownWork");
            return;
        }
        json.writeObjectFieldStart("ownWork");
        json.writeNumberField("frame", work.frame().id());
        json.writeNumberField("waitedNs", work.waitedNs());
        json.writeNumberField("ranNs", work.ranNs());
        json.writeNumberField("sleptNs", work.sleep() == null ? 0 : work.sleep().durNs());
        json.writeStringField("next", Advice.of(work, diagnosis.platform()));
        json.writeEndObject();
    }
}
