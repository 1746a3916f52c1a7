package dev.unjank.doctor.report.json;

import dev.unjank.doctor.judge.LockWaitTotal;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.ResourceUse;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.loss.EventLoss;
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
        object(json, "owner", incident.blocker(), this::owner);
        text(json, "blockedMethod", method(wait.location()));
        json.writeStringProperty("lock", wait.target());
        json.writeNumberProperty("waiters", wait.waiters());
        judgement(incident.judgement());
        object(json, "responsibleThread", incident.responsibleThread(), this::responsible);
        objects(json, "ownerStates", incident.ownerStates(), this::state);
        objects(json, "ranMeanwhile", incident.preemptingThreads(), this::ranMeanwhile);
        cpus("ranMeanwhileCpus", incident.preemptionCpus());
        objects(json, "chain", incident.blocker() == null ? List.of() : incident.chain(), this::link);
        json.writeArrayPropertyStart("leaves");
        leaves(wait, 0);
        json.writeEndArray();
        object(json, "lost", diagnosis.eventLossDuring(incident), this::lost);
        objects(json, "frames", costs.getOrDefault(incident.id(), List.of()), this::frame);
        backlog(incident.backlog());
        convoy(incident.convoy());
        resource(incident.resource());
        json.writeStringProperty(
                "next", Advice.of(incident, diagnosis.platform()).getFirst());
        json.writeStringProperty("query", queries.evidence(incident, diagnosis.platform()));
    }

    /** Writes the lock of several incidents. */
    void write(LockWaitTotal lock) throws IOException {
        Wait longest = lock.longest().rootWait();
        json.writeStringProperty("kind", longest.kind().name());
        json.writeStringProperty("lock", longest.target());
        text(json, "process", longest.thread().process());
        json.writeNumberProperty("waits", lock.waits());
        json.writeNumberProperty("durNs", lock.durNs());
        json.writeNumberProperty("longestNs", longest.durNs());
        json.writeNumberProperty("longest", lock.longest().id());
        object(json, "longestOwner", lock.longestOwner(), this::identity);
        json.writeNumberProperty("longestOwnerNs", lock.longestOwnerNs());
        json.writeNumberProperty("explainedNs", lock.explainedNs());
    }

    private void judgement(Judgement judgement) throws IOException {
        json.writeStringProperty("evidence", judgement.evidence().name());
        json.writeStringProperty("verdict", judgement.verdict().name());
        if (judgement.verdict() == Verdict.PRIORITY_INVERSION) {
            json.writeBooleanProperty("unbounded", judgement.unbounded());
            json.writeNumberProperty("lessImportantNs", judgement.lessImportantNs());
        }
        json.writeNumberProperty("decisiveNs", judgement.decisiveNs());
    }

    private void responsible(ThreadRef thread) throws IOException {
        identity(thread);
        text(json, "process", thread.process());
        priority(thread);
    }

    void state(Incident.StateDuration time) throws IOException {
        json.writeStringProperty("state", time.state().name());
        json.writeNumberProperty("durNs", time.durNs());
    }

    private void ranMeanwhile(PreemptingThread preempting) throws IOException {
        identity(preempting.thread());
        priority(preempting.thread());
        json.writeNumberProperty("ranNs", preempting.ranNs());
    }

    private void link(Wait wait) throws IOException {
        Owner owner = wait.longestOwnerInterval().owner();
        owner(owner);
        json.writeStringProperty("evidence", owner.evidence().name());
        json.writeStringProperty("kind", wait.kind().name());
        json.writeStringProperty("lock", wait.target());
        text(json, "blockedMethod", method(wait.location()));
        json.writeNumberProperty("durNs", wait.durNs());
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
                    if (part.state() == OwnerState.RUNNABLE) {
                        json.writeNumberProperty("lessImportantNs", part.lessImportantNs());
                    }
                    json.writeEndObject();
                }
            }
        }
    }

    private void frame(FrameCost cost) throws IOException {
        json.writeNumberProperty("frame", cost.frame().id());
        json.writeNumberProperty("overlapNs", cost.overlapNs());
        json.writeBooleanProperty("missed", cost.frame().missed());
    }

    private void lost(EventLoss lost) throws IOException {
        json.writeNumberProperty("durNs", lost.durNs());
        cpus("cpus", lost.cpus());
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

    private void resource(@Nullable ResourceUse use) throws IOException {
        if (use != null) {
            json.writeObjectPropertyStart("resource");
            json.writeNumberProperty("atOnce", use.atOnce());
            json.writeNumberProperty("threads", use.threads());
            json.writeNumberProperty("holds", use.holds());
            json.writeNumberProperty("medianNs", use.medianNs());
            json.writeNumberProperty("longestNs", use.longestNs());
            text(json, "takenAt", method(use.takenAt()));
            json.writeEndObject();
        }
    }

    private void owner(Owner owner) throws IOException {
        identity(owner.thread());
        priority(owner.thread());
        text(json, "method", method(owner.location()));
        text(json, "source", owner.location() == null ? null : owner.location().source());
    }

    void identity(ThreadRef thread) throws IOException {
        tid(json, thread.tid());
        text(json, "name", thread.name());
    }

    static void tid(JsonGenerator json, int tid) throws IOException {
        if (tid == ThreadRef.NOT_IN_TRACE) {
            json.writeNullProperty("tid");
        } else {
            json.writeNumberProperty("tid", tid);
        }
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

    /** Writes the properties of a value. */
    interface Properties<T> {
        void write(T value) throws IOException;
    }

    static <T> void object(JsonGenerator json, String key, @Nullable T value, Properties<T> properties)
            throws IOException {
        if (value == null) {
            json.writeNullProperty(key);
        } else {
            json.writeObjectPropertyStart(key);
            properties.write(value);
            json.writeEndObject();
        }
    }

    static <T> void objects(JsonGenerator json, String key, List<T> values, Properties<T> properties)
            throws IOException {
        json.writeArrayPropertyStart(key);
        for (T value : values) {
            json.writeStartObject();
            properties.write(value);
            json.writeEndObject();
        }
        json.writeEndArray();
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
