package dev.unjank.doctor.report.html;

import static dev.unjank.doctor.report.html.PagePools.numbers;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.loss.EventLoss;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.VerdictMessages;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** The incidents as columns: an array per fact, a place per incident. */
final class IncidentColumns {
    private static final int MOST_PREEMPTING = 8;
    private static final int MOST_FRAMES = 3;

    private final JsonGenerator json;
    private final PagePools pools;
    private final List<Incident> incidents;
    private final Diagnosis diagnosis;
    private final long startNs;
    private final Map<Integer, List<FrameCost>> costs; // by incident

    IncidentColumns(JsonGenerator json, PagePools pools, List<Incident> incidents, Diagnosis diagnosis) {
        this.json = json;
        this.pools = pools;
        this.incidents = incidents;
        this.diagnosis = diagnosis;
        this.startNs = diagnosis.startNs();
        this.costs = diagnosis.costs().stream()
                .collect(Collectors.groupingBy(cost -> cost.incident().id()));
    }

    void write() throws IOException {
        column("at", incident -> incident.rootWait().startNs() - startNs);
        column("dur", incident -> incident.rootWait().durNs());
        column("unfinished", incident -> incident.rootWait().unfinished() ? 1 : 0);
        column("verdict", incident -> pools.name(incident.verdict().name()));
        column("title", incident -> pools.name(MessageCatalogue.verdict(incident.judgement())));
        column("evidence", incident -> pools.prose(evidence(incident)));
        column("lost", this::lost);
        column("thread", incident -> pools.thread(incident.rootWait().thread()));
        column("priority", incident -> incident.rootWait().thread().priority());
        column("lock", incident -> pools.prose(WaitMessages.what(incident.rootWait())));
        column("site", incident -> pools.method(incident.rootWait().location()));
        column("source", incident -> pools.source(incident.rootWait().location()));
        column("owner", this::owner);
        column("responsible", incident -> pools.thread(incident.judgement().responsibleThread()));
        column("story", incident -> pools.prose(WaitMessages.ownerActivity(incident)));
        column("why", incident -> pools.prose(VerdictMessages.of(incident)));
        column("advice", incident -> pools.advice(Advice.of(incident, diagnosis.platform())));
        lists("chain", this::chain);
        lists("states", this::states);
        lists("ranMeanwhile", this::ranMeanwhile);
        column("cpus", this::cpus);
        lists("costs", this::costs);
    }

    private long owner(Incident incident) {
        Owner owner = incident.blocker();
        return owner == null ? PagePools.NONE : pools.thread(owner.thread());
    }

    private long lost(Incident incident) {
        EventLoss lost = diagnosis.eventLossDuring(incident);
        return lost == null ? PagePools.NONE : pools.prose(WarningMessages.of(lost));
    }

    private static String evidence(Incident incident) {
        return incident.judgement().evidence() + ": " + WaitMessages.evidence(incident);
    }

    private void column(String name, ToLongFunction<Incident> value) throws IOException {
        json.writeArrayPropertyStart(name);
        for (Incident incident : incidents) {
            json.writeNumber(value.applyAsLong(incident));
        }
        json.writeEndArray();
    }

    private interface ListWriter {
        void write(Incident incident) throws IOException;
    }

    private void lists(String name, ListWriter list) throws IOException {
        json.writeArrayPropertyStart(name);
        for (Incident incident : incidents) {
            json.writeStartArray();
            list.write(incident);
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    /** Per owner: who, at which priority, where it took the lock, and for how long it was waited for, where. */
    private void chain(Incident incident) throws IOException {
        for (Wait wait : incident.chain()) {
            Owner owner = wait.longestOwnerInterval().owner();
            numbers(
                    json,
                    pools.thread(owner.thread()),
                    owner.thread().priority(),
                    pools.method(owner.location()),
                    pools.source(owner.location()),
                    wait.durNs(),
                    pools.prose(WaitMessages.nextWaitTarget(wait)));
        }
    }

    /** Per state: which, and for how long. */
    private void states(Incident incident) throws IOException {
        for (Incident.StateDuration time : incident.ownerStates()) {
            numbers(json, pools.name(time.state().name()), time.durNs());
        }
    }

    /** Per thread that ran meanwhile: its number, its most common priority, for how long. */
    private void ranMeanwhile(Incident incident) throws IOException {
        List<PreemptingThread> threads = incident.preemptedBy();
        for (PreemptingThread preempting : threads.subList(0, Math.min(MOST_PREEMPTING, threads.size()))) {
            numbers(json, pools.thread(preempting.thread()), preempting.thread().priority(), preempting.ranNs());
        }
    }

    /** On which CPUs these ran. */
    private long cpus(Incident incident) {
        return incident.preemptingThreads().isEmpty()
                ? PagePools.NONE
                : pools.prose(ThreadLabels.cpus(incident.preemptionCpus()));
    }

    /**
     * Per frame that the incident overlaps: by how much, how long the frame took, by how much it missed its deadline,
     * and whether it counts as missed.
     */
    private void costs(Incident incident) throws IOException {
        List<FrameCost> greatest = costs.getOrDefault(incident.id(), List.of()).stream()
                .sorted(Comparator.comparingLong(FrameCost::overlapNs).reversed())
                .limit(MOST_FRAMES)
                .toList();
        for (FrameCost cost : greatest) {
            Frame frame = cost.frame();
            numbers(json, cost.overlapNs(), frame.durNs(), frame.missedByNs(), frame.missed() ? 1 : 0);
        }
    }
}
