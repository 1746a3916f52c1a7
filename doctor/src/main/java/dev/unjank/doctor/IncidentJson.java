package dev.unjank.doctor;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes incidents as JSON. */
final class IncidentJson {
    private final Diagnosis diagnosis;
    private final Map<Integer, List<FrameCost>> costs; // by incident, the greatest first
    private final JsonGenerator json;

    IncidentJson(Diagnosis diagnosis, JsonGenerator json) {
        this.diagnosis = diagnosis;
        this.costs = diagnosis.costs().stream()
                .sorted(Comparator.comparingLong(FrameCost::overlapNs).reversed())
                .collect(Collectors.groupingBy(cost -> cost.incident().id()));
        this.json = json;
    }

    void write(Incident incident) throws IOException {
        Wait wait = incident.tree();
        json.writeStartObject();
        json.writeNumberField("id", incident.id());
        json.writeStringField("kind", wait.kind().name());
        json.writeObjectFieldStart("thread");
        identity(wait.thread());
        text(json, "process", wait.thread().process());
        priority(wait.thread());
        json.writeEndObject();
        json.writeNumberField("startNs", wait.startNs());
        json.writeNumberField("durNs", wait.durNs());
        json.writeNumberField("wakeDelayNs", wait.wakeDelayNs());
        json.writeBooleanField("unfinished", wait.unfinished());
        json.writeBooleanField("eventThread", incident.attention() == Attention.EVENT_THREAD);
        inTheWay(incident.inTheWay());
        text(json, "blockedMethod", method(wait.site()));
        json.writeStringField("lock", wait.what());
        json.writeNumberField("waiters", wait.waiters());
        judgement(incident.judgement());
        blamed(incident.toBlame());
        states(incident.ownerStates());
        culprits(incident.culprits());
        cpus("culpritCpus", incident.culpritCpus());
        chain(incident);
        json.writeArrayFieldStart("leaves");
        leaves(wait, 0);
        json.writeEndArray();
        lost(diagnosis.lostIn(incident));
        frames(incident);
        backlog(incident.backlog());
        convoy(incident.convoy());
        Advice advice = Advice.of(incident, diagnosis.platform());
        json.writeStringField("next", advice.steps().getFirst());
        json.writeStringField("query", advice.queryFor(incident));
        json.writeEndObject();
    }

    /** What several incidents waited for. */
    void write(LockTotal lock) throws IOException {
        Wait longest = lock.longest().tree();
        json.writeStartObject();
        json.writeStringField("kind", longest.kind().name());
        json.writeStringField("lock", longest.what());
        text(json, "process", longest.thread().process());
        json.writeNumberField("waits", lock.waits());
        json.writeNumberField("durNs", lock.durNs());
        json.writeNumberField("longestNs", longest.durNs());
        json.writeNumberField("longest", lock.longest().id());
        if (lock.holder() == null) {
            json.writeNullField("holder");
        } else {
            json.writeObjectFieldStart("holder");
            identity(lock.holder());
            json.writeEndObject();
        }
        json.writeNumberField("heldNs", lock.heldNs());
        json.writeNumberField("toldNs", lock.toldNs());
        json.writeEndObject();
    }

    private void judgement(Judgement judgement) throws IOException {
        json.writeStringField("evidence", judgement.evidence().name());
        json.writeStringField("verdict", judgement.verdict().name());
        if (judgement.verdict() == Verdict.PRIORITY_INVERSION) {
            json.writeBooleanField("unbounded", judgement.unbounded());
        }
        json.writeNumberField("decisiveNs", judgement.decisiveNs());
    }

    private void inTheWay(@Nullable Owner owner) throws IOException {
        if (owner == null) {
            json.writeNullField("owner");
        } else {
            json.writeObjectFieldStart("owner");
            owner(owner);
            json.writeEndObject();
        }
    }

    private void blamed(@Nullable ThreadRef blamed) throws IOException {
        if (blamed == null) {
            json.writeNullField("blamed");
        } else {
            json.writeObjectFieldStart("blamed");
            identity(blamed);
            text(json, "process", blamed.process());
            priority(blamed);
            json.writeEndObject();
        }
    }

    private void states(List<Incident.StateTime> states) throws IOException {
        json.writeArrayFieldStart("ownerStates");
        for (Incident.StateTime time : states) {
            json.writeStartObject();
            json.writeStringField("state", time.state().name());
            json.writeNumberField("durNs", time.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void culprits(List<Culprit> culprits) throws IOException {
        json.writeArrayFieldStart("culprits");
        for (Culprit culprit : culprits) {
            json.writeStartObject();
            identity(culprit.thread());
            priority(culprit.thread());
            json.writeNumberField("ranNs", culprit.ranNs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void chain(Incident incident) throws IOException {
        json.writeArrayFieldStart("chain");
        List<Wait> chain = incident.inTheWay() == null ? List.of() : incident.chain();
        for (Wait wait : chain) {
            Owner owner = wait.longestTenure().owner();
            json.writeStartObject();
            owner(owner);
            json.writeStringField("evidence", owner.evidence().name());
            json.writeStringField("kind", wait.kind().name());
            json.writeStringField("lock", wait.what());
            text(json, "blockedMethod", method(wait.site()));
            json.writeNumberField("durNs", wait.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void leaves(Wait wait, int depth) throws IOException {
        for (Tenure tenure : wait.tenures()) {
            for (Part part : tenure.parts()) {
                if (part.further() != null) {
                    leaves(part.further(), depth + 1);
                } else {
                    json.writeStartObject();
                    json.writeNumberField("depth", depth);
                    json.writeStringField("kind", wait.kind().name());
                    json.writeStringField("state", part.state().name());
                    json.writeNumberField("startNs", part.startNs());
                    json.writeNumberField("durNs", part.durNs());
                    identity(part.thread());
                    priority(part.thread());
                    text(json, "detail", part.detail());
                    json.writeEndObject();
                }
            }
        }
    }

    private void frames(Incident incident) throws IOException {
        json.writeArrayFieldStart("frames");
        for (FrameCost cost : costs.getOrDefault(incident.id(), List.of())) {
            json.writeStartObject();
            json.writeNumberField("frame", cost.frame().id());
            json.writeNumberField("overlapNs", cost.overlapNs());
            json.writeBooleanField("missed", cost.frame().missed());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void lost(@Nullable Lost lost) throws IOException {
        if (lost == null) {
            json.writeNullField("lost");
            return;
        }
        json.writeObjectFieldStart("lost");
        json.writeNumberField("durNs", lost.durNs());
        cpus("cpus", lost.cpus());
        json.writeEndObject();
    }

    private void cpus(String key, Collection<Integer> cpus) throws IOException {
        json.writeArrayFieldStart(key);
        for (int cpu : cpus) {
            json.writeNumber(cpu);
        }
        json.writeEndArray();
    }

    private void backlog(@Nullable Backlog backlog) throws IOException {
        if (backlog != null) {
            json.writeObjectFieldStart("backlog");
            json.writeNumberField("messages", backlog.messages());
            json.writeNumberField("ranNs", backlog.ranNs());
            json.writeStringField("mostly", backlog.what());
            text(
                    json,
                    "sender",
                    backlog.sender() == null ? null : backlog.sender().name());
            json.writeNumberField("fromSender", backlog.fromSender());
            json.writeEndObject();
        }
    }

    private void convoy(@Nullable Convoy convoy) throws IOException {
        if (convoy != null) {
            json.writeObjectFieldStart("convoy");
            json.writeNumberField("waits", convoy.waits());
            json.writeNumberField("threads", convoy.threads());
            json.writeNumberField("startNs", convoy.startNs());
            json.writeNumberField("endNs", convoy.endNs());
            json.writeEndObject();
        }
    }

    private void owner(Owner owner) throws IOException {
        identity(owner.thread());
        priority(owner.thread());
        text(json, "method", method(owner.site()));
        text(json, "source", owner.site() == null ? null : owner.site().source());
    }

    private void identity(ThreadRef thread) throws IOException {
        if (thread.tid() == ThreadRef.NOWHERE) {
            json.writeNullField("tid");
        } else {
            json.writeNumberField("tid", thread.tid());
        }
        text(json, "name", thread.name());
    }

    private void priority(ThreadRef thread) throws IOException {
        if (thread.hasPriority()) {
            json.writeNumberField("priority", thread.priority());
        } else {
            json.writeNullField("priority");
        }
        if (thread.hasInherited()) {
            json.writeNumberField("inheritedPriority", thread.inherited());
        }
    }

    private static @Nullable String method(@Nullable Site site) {
        return site == null ? null : site.method();
    }

    static void number(JsonGenerator json, String key, @Nullable Integer value) throws IOException {
        if (value == null) {
            json.writeNullField(key);
        } else {
            json.writeNumberField(key, value);
        }
    }

    static void text(JsonGenerator json, String key, @Nullable String value) throws IOException {
        if (value == null) {
            json.writeNullField(key);
        } else {
            json.writeStringField(key, value);
        }
    }
}
