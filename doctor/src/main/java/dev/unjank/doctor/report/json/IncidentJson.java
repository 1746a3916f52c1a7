package dev.unjank.doctor.report.json;

import dev.unjank.doctor.judge.LockWaitTotal;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.EventLoss;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.RootCause;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.WaitMessages;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes incidents as JSON. */
final class IncidentJson {
    private final Diagnosis diagnosis;
    private final ReportQueries queries;
    private final Map<Integer, List<FrameCost>> costs; // by incident, the greatest first
    private final JsonGenerator json;

    IncidentJson(Diagnosis diagnosis, ReportQueries queries, JsonGenerator json) {
        this.diagnosis = diagnosis;
        this.queries = queries;
        this.costs = diagnosis.costs().stream()
                .sorted(Comparator.comparingLong(FrameCost::overlapNs).reversed())
                .collect(Collectors.groupingBy(cost -> cost.incident().id()));
        this.json = json;
    }

    void write(Incident incident) throws IOException {
        Wait wait = incident.rootWait();
        json.writeStartObject();
        json.writeNumberProperty("id", incident.id());
        json.writeStringProperty("kind", wait.kind().name());
        json.writeObjectPropertyStart("thread");
        identity(wait.thread());
        text(json, "process", wait.thread().process());
        priority(wait.thread());
        json.writeEndObject();
        json.writeNumberProperty("startNs", wait.startNs());
        json.writeNumberProperty("durNs", wait.durNs());
        json.writeNumberProperty("wakeDelayNs", wait.wakeDelayNs());
        json.writeBooleanProperty("unfinished", wait.unfinished());
        json.writeBooleanProperty("eventThread", incident.severity() == Severity.EVENT_LOOP);
        writeOwner(incident.blocker());
        text(json, "blockedMethod", method(wait.location()));
        json.writeStringProperty("lock", wait.target());
        json.writeNumberProperty("waiters", wait.waiters());
        rootCause(incident.rootCause());
        responsible(incident.responsibleThread());
        states(incident.ownerStates());
        ranMeanwhile(incident.preemptingThreads());
        cpus("ranMeanwhileCpus", incident.preemptionCpus());
        chain(incident);
        json.writeArrayPropertyStart("leaves");
        leaves(wait, 0);
        json.writeEndArray();
        lost(diagnosis.eventLossDuring(incident));
        frames(incident);
        backlog(incident.backlog());
        convoy(incident.convoy());
        json.writeStringProperty(
                "next", Advice.of(incident, diagnosis.platform()).getFirst());
        json.writeStringProperty("query", queries.evidence(incident, diagnosis.platform()));
        json.writeEndObject();
    }

    /** What several incidents waited for. */
    void write(LockWaitTotal lock) throws IOException {
        Wait longest = lock.longest().rootWait();
        json.writeStartObject();
        json.writeStringProperty("kind", longest.kind().name());
        json.writeStringProperty("lock", longest.target());
        text(json, "process", longest.thread().process());
        json.writeNumberProperty("waits", lock.waits());
        json.writeNumberProperty("durNs", lock.durNs());
        json.writeNumberProperty("longestNs", longest.durNs());
        json.writeNumberProperty("longest", lock.longest().id());
        if (lock.longestOwner() == null) {
            json.writeNullProperty("longestOwner");
        } else {
            json.writeObjectPropertyStart("longestOwner");
            identity(lock.longestOwner());
            json.writeEndObject();
        }
        json.writeNumberProperty("longestOwnerNs", lock.longestOwnerNs());
        json.writeNumberProperty("explainedNs", lock.explainedNs());
        json.writeEndObject();
    }

    private void rootCause(RootCause judgement) throws IOException {
        json.writeStringProperty("evidence", judgement.evidence().name());
        json.writeStringProperty("verdict", judgement.verdict().name());
        if (judgement.verdict() == Verdict.PRIORITY_INVERSION) {
            json.writeBooleanProperty("unbounded", judgement.unbounded());
        }
        json.writeNumberProperty("decisiveNs", judgement.decisiveNs());
    }

    private void writeOwner(@Nullable Owner owner) throws IOException {
        if (owner == null) {
            json.writeNullProperty("owner");
        } else {
            json.writeObjectPropertyStart("owner");
            owner(owner);
            json.writeEndObject();
        }
    }

    private void responsible(@Nullable ThreadRef responsible) throws IOException {
        if (responsible == null) {
            json.writeNullProperty("responsibleThread");
        } else {
            json.writeObjectPropertyStart("responsibleThread");
            identity(responsible);
            text(json, "process", responsible.process());
            priority(responsible);
            json.writeEndObject();
        }
    }

    private void states(List<Incident.StateDuration> states) throws IOException {
        json.writeArrayPropertyStart("ownerStates");
        for (Incident.StateDuration time : states) {
            json.writeStartObject();
            json.writeStringProperty("state", time.state().name());
            json.writeNumberProperty("durNs", time.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void ranMeanwhile(List<PreemptingThread> threads) throws IOException {
        json.writeArrayPropertyStart("ranMeanwhile");
        for (PreemptingThread preempting : threads) {
            json.writeStartObject();
            identity(preempting.thread());
            priority(preempting.thread());
            json.writeNumberProperty("ranNs", preempting.ranNs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void chain(Incident incident) throws IOException {
        json.writeArrayPropertyStart("chain");
        List<Wait> chain = incident.blocker() == null ? List.of() : incident.chain();
        for (Wait wait : chain) {
            Owner owner = wait.longestOwnerInterval().owner();
            json.writeStartObject();
            owner(owner);
            json.writeStringProperty("evidence", owner.evidence().name());
            json.writeStringProperty("kind", wait.kind().name());
            json.writeStringProperty("lock", wait.target());
            text(json, "blockedMethod", method(wait.location()));
            json.writeNumberProperty("durNs", wait.durNs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void leaves(Wait wait, int depth) throws IOException {
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                if (part.nextWait() != null) {
                    leaves(part.nextWait(), depth + 1);
                } else {
                    json.writeStartObject();
                    json.writeNumberProperty("depth", depth);
                    json.writeStringProperty("kind", wait.kind().name());
                    json.writeStringProperty("state", part.state().name());
                    json.writeNumberProperty("startNs", part.startNs());
                    json.writeNumberProperty("durNs", part.durNs());
                    identity(part.thread());
                    priority(part.thread());
                    text(json, "detail", WaitMessages.detail(part.detail()));
                    json.writeEndObject();
                }
            }
        }
    }

    private void frames(Incident incident) throws IOException {
        json.writeArrayPropertyStart("frames");
        for (FrameCost cost : costs.getOrDefault(incident.id(), List.of())) {
            json.writeStartObject();
            json.writeNumberProperty("frame", cost.frame().id());
            json.writeNumberProperty("overlapNs", cost.overlapNs());
            json.writeBooleanProperty("missed", cost.frame().missed());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void lost(@Nullable EventLoss lost) throws IOException {
        if (lost == null) {
            json.writeNullProperty("lost");
            return;
        }
        json.writeObjectPropertyStart("lost");
        json.writeNumberProperty("durNs", lost.durNs());
        cpus("cpus", lost.cpus());
        json.writeEndObject();
    }

    private void cpus(String key, Collection<Integer> cpus) throws IOException {
        json.writeArrayPropertyStart(key);
        for (int cpu : cpus) {
            json.writeNumber(cpu);
        }
        json.writeEndArray();
    }

    private void backlog(@Nullable QueueBacklog backlog) throws IOException {
        if (backlog != null) {
            json.writeObjectPropertyStart("backlog");
            json.writeNumberProperty("messages", backlog.messages());
            json.writeNumberProperty("ranNs", backlog.ranNs());
            json.writeStringProperty("mostly", backlog.what());
            text(
                    json,
                    "sender",
                    backlog.sender() == null ? null : backlog.sender().name());
            json.writeNumberProperty("fromSender", backlog.messagesFromSender());
            json.writeEndObject();
        }
    }

    private void convoy(@Nullable LockConvoy convoy) throws IOException {
        if (convoy != null) {
            json.writeObjectPropertyStart("convoy");
            json.writeNumberProperty("waits", convoy.waits());
            json.writeNumberProperty("threads", convoy.threads());
            json.writeNumberProperty("startNs", convoy.startNs());
            json.writeNumberProperty("endNs", convoy.endNs());
            json.writeEndObject();
        }
    }

    private void owner(Owner owner) throws IOException {
        identity(owner.thread());
        priority(owner.thread());
        text(json, "method", method(owner.location()));
        text(json, "source", owner.location() == null ? null : owner.location().source());
    }

    private void identity(ThreadRef thread) throws IOException {
        if (thread.tid() == ThreadRef.NOT_IN_TRACE) {
            json.writeNullProperty("tid");
        } else {
            json.writeNumberProperty("tid", thread.tid());
        }
        text(json, "name", thread.name());
    }

    private void priority(ThreadRef thread) throws IOException {
        if (thread.hasPriority()) {
            json.writeNumberProperty("priority", thread.priority());
        } else {
            json.writeNullProperty("priority");
        }
        if (thread.hasInherited()) {
            json.writeNumberProperty("inheritedPriority", thread.inheritedPriority());
        }
    }

    private static @Nullable String method(@Nullable CodeLocation site) {
        return site == null ? null : site.method();
    }

    static void number(JsonGenerator json, String key, @Nullable Integer value) throws IOException {
        if (value == null) {
            json.writeNullProperty(key);
        } else {
            json.writeNumberProperty(key, value);
        }
    }

    static void text(JsonGenerator json, String key, @Nullable String value) throws IOException {
        if (value == null) {
            json.writeNullProperty(key);
        } else {
            json.writeStringProperty(key, value);
        }
    }
}
