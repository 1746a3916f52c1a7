package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.cause.CostMeasure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the time by which root causes are ranked, and measures it: the time of missed frames if incidents took any,
 * otherwise the blocked time of the first kind of threads that has at least a tenth of all blocked time.
 */
final class CostMeasures {
    /** A measure is used if it covers at least one part in this many of the blocked time. */
    private static final int LEAST_SHARE = 10;

    private final Map<Integer, List<FrameCost>> missed = new HashMap<>(); // by incident
    private final Set<Integer> drawing; // threads besides main threads, by utid
    private final Diagnosis diagnosis;
    private final List<Incident> incidents;
    private final CostMeasure measure;

    /** Measures the cost of some of the incidents of a diagnosis. */
    CostMeasures(Diagnosis diagnosis, List<Incident> incidents) {
        this.diagnosis = diagnosis;
        this.drawing = Set.copyOf(diagnosis.search().selection().drawing());
        this.incidents = incidents;
        Set<Integer> ids = incidents.stream().map(Incident::id).collect(Collectors.toSet());
        for (FrameCost cost : diagnosis.costs()) {
            if (cost.frame().missed() && ids.contains(cost.incident().id())) {
                missed.computeIfAbsent(cost.incident().id(), _ -> new ArrayList<>())
                        .add(cost);
            }
        }
        measure = missed.isEmpty() ? ofThreads() : CostMeasure.MISSED_FRAMES;
    }

    CostMeasure measure() {
        return measure;
    }

    /** The cost of the incidents of a root cause, ns. */
    long of(List<Incident> incidents) {
        if (measure == CostMeasure.MISSED_FRAMES) {
            return missedNs(incidents);
        }
        return incidents.stream()
                .filter(incident -> role(incident).compareTo(measure) <= 0) // a more important thread counts as well
                .mapToLong(incident -> incident.rootWait().durNs())
                .sum();
    }

    /**
     * The time in which at least one of some incidents lasted in a missed frame; a moment in several frames counts
     * once.
     */
    private long missedNs(List<Incident> incidents) {
        List<long[]> intervals = new ArrayList<>();
        for (Incident incident : incidents) {
            for (FrameCost cost : missed.getOrDefault(incident.id(), List.of())) {
                long from = Math.max(cost.frame().startNs(), incident.rootWait().startNs());
                intervals.add(new long[] {from, from + cost.overlapNs()});
            }
        }
        return union(intervals);
    }

    private static long union(List<long[]> intervals) {
        intervals.sort((a, b) -> Long.compare(a[0], b[0]));
        long sum = 0;
        long end = Long.MIN_VALUE;
        for (long[] interval : intervals) {
            long from = Math.max(end, interval[0]);
            if (interval[1] > from) {
                sum += interval[1] - from;
                end = interval[1];
            }
        }
        return sum;
    }

    /** Whether the waiter of an incident serves events or requests. */
    boolean servesOthers(Incident incident) {
        return role(incident) != CostMeasure.ALL_THREADS || missed.containsKey(incident.id());
    }

    private CostMeasure ofThreads() {
        long all = 0;
        long events = 0;
        long requests = 0;
        for (Incident incident : incidents) {
            long ns = incident.rootWait().durNs();
            CostMeasure role = role(incident);
            all += ns;
            events += role == CostMeasure.EVENT_THREADS ? ns : 0;
            requests += role == CostMeasure.REQUEST_THREADS ? ns : 0;
        }
        if (all == 0 || events >= all / LEAST_SHARE) {
            return all == 0 ? CostMeasure.ALL_THREADS : CostMeasure.EVENT_THREADS;
        }
        return requests >= all / LEAST_SHARE ? CostMeasure.REQUEST_THREADS : CostMeasure.ALL_THREADS;
    }

    /** The kind of the waiter: an event thread, a thread of a pool, or another one. */
    private CostMeasure role(Incident incident) {
        ThreadRef waiter = incident.rootWait().thread();
        if (incident.severity() == Severity.EVENT_LOOP
                || drawing.contains(waiter.utid())
                || (waiter.main() && !diagnosis.platform().isJvm())) {
            return CostMeasure.EVENT_THREADS;
        }
        boolean ofProgram = waiter.origin() != CodeOrigin.JVM && waiter.origin() != CodeOrigin.KERNEL;
        boolean ofPool = waiter.name() != null && ThreadGroupName.isOfPool(waiter.name());
        return incident.severity() != Severity.CPU_ONLY && ofProgram && (ofPool || waiter.isAllOfProcess())
                ? CostMeasure.REQUEST_THREADS
                : CostMeasure.ALL_THREADS;
    }
}
