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
 * does not tell is null.
 *
 * <pre>
 * trace, durationNs
 * incidents[], the longest first:
 *   thread       {tid, name, process, priority}
 *   startNs, durNs
 *   wakeDelayNs  for how long, at the end of durNs, the lock was free and the thread itself waited for a CPU
 *   owner        {tid, name, priority, method, source}
 *   blockedMethod, lock
 *   evidence     a name of {@link Evidence}
 *   verdict      a name of {@link Verdict}
 *   unbounded    only with PRIORITY_INVERSION
 *   ownerStates  [{state, durNs}], states by their names in {@link OwnerState}, adding up to durNs
 *   culprits     [{tid, name, priority, ranNs}]
 *   chain        [{tid, name, priority, method, source, evidence, lock, blockedMethod, durNs}]: the owner, then the owner of
 *                what that one waited for longest, and so on; lock and blockedMethod say what they were waited for at
 * warnings[]
 * </pre>
 */
public final class JsonReport {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonReport() {}

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
            json.writeStartObject();
            json.writeStringField("trace", diagnosis.trace());
            json.writeNumberField("durationNs", diagnosis.durationNs());
            json.writeArrayFieldStart("incidents");
            for (Incident incident : diagnosis.incidents()) {
                incident(json, incident);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("warnings");
            for (String warning : diagnosis.warnings()) {
                json.writeString(warning);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void incident(JsonGenerator json, Incident incident) throws IOException {
        Wait wait = incident.tree();
        json.writeStartObject();
        json.writeObjectFieldStart("thread");
        identity(json, wait.thread());
        text(json, "process", wait.thread().process());
        priority(json, wait.thread());
        json.writeEndObject();
        json.writeNumberField("startNs", wait.startNs());
        json.writeNumberField("durNs", wait.durNs());
        json.writeNumberField("wakeDelayNs", wait.wakeDelayNs());
        json.writeObjectFieldStart("owner");
        owner(json, incident.owner());
        json.writeEndObject();
        text(json, "blockedMethod", method(wait.site()));
        json.writeStringField("lock", wait.what());
        json.writeStringField("evidence", incident.owner().evidence().name());
        json.writeStringField("verdict", incident.verdict().name());
        if (incident.verdict() == Verdict.PRIORITY_INVERSION) {
            json.writeBooleanField("unbounded", incident.judgement().unbounded());
        }
        json.writeArrayFieldStart("ownerStates");
        for (Incident.StateTime time : incident.ownerStates()) {
            json.writeStartObject();
            json.writeStringField("state", time.state().name());
            json.writeNumberField("durNs", time.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("culprits");
        for (Culprit culprit : incident.culprits()) {
            json.writeStartObject();
            identity(json, culprit.thread());
            priority(json, culprit.thread());
            json.writeNumberField("ranNs", culprit.ranNs());
            json.writeEndObject();
        }
        json.writeEndArray();
        chain(json, incident.chain());
        json.writeEndObject();
    }

    private static void chain(JsonGenerator json, List<Wait> chain) throws IOException {
        json.writeArrayFieldStart("chain");
        for (Wait wait : chain) {
            Owner owner = wait.longestTenure().owner();
            json.writeStartObject();
            owner(json, owner);
            json.writeStringField("evidence", owner.evidence().name());
            json.writeStringField("lock", wait.what());
            text(json, "blockedMethod", method(wait.site()));
            json.writeNumberField("durNs", wait.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void owner(JsonGenerator json, Owner owner) throws IOException {
        identity(json, owner.thread());
        priority(json, owner.thread());
        text(json, "method", method(owner.site()));
        text(json, "source", owner.site() == null ? null : owner.site().source());
    }

    private static void identity(JsonGenerator json, ThreadRef thread) throws IOException {
        if (thread.tid() == ThreadRef.NOWHERE) {
            json.writeNullField("tid");
        } else {
            json.writeNumberField("tid", thread.tid());
        }
        text(json, "name", thread.name());
    }

    private static void priority(JsonGenerator json, ThreadRef thread) throws IOException {
        if (thread.hasPriority()) {
            json.writeNumberField("priority", thread.priority());
        } else {
            json.writeNullField("priority");
        }
    }

    private static @Nullable String method(@Nullable Site site) {
        return site == null ? null : site.method();
    }

    private static void text(JsonGenerator json, String key, @Nullable String value) throws IOException {
        if (value == null) {
            json.writeNullField(key);
        } else {
            json.writeStringField(key, value);
        }
    }
}
