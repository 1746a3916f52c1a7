package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.activity.ActivityNames;
import dev.unjank.doctor.find.activity.OffSchedulerActivity;
import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.kernel.CpuWaits;
import dev.unjank.doctor.find.kernel.UninterruptibleSleeps;
import dev.unjank.doctor.find.lock.FutexWaits;
import dev.unjank.doctor.find.lock.LockContentionWaits;
import dev.unjank.doctor.find.message.BinderWaits;
import dev.unjank.doctor.find.message.QueueWaits;
import dev.unjank.doctor.find.pause.ArtGcWaits;
import dev.unjank.doctor.find.pause.JniCriticalSections;
import dev.unjank.doctor.find.pause.JniCriticalWaits;
import dev.unjank.doctor.find.pause.JvmPauses;
import dev.unjank.doctor.find.pause.PauseWaits;
import dev.unjank.doctor.find.pause.ProcessStops;
import dev.unjank.doctor.find.pause.SuspendCheckWaits;
import dev.unjank.doctor.find.pause.SuspendedThreadWaits;
import dev.unjank.doctor.find.pause.ThreadSuspensions;
import dev.unjank.doctor.find.runtime.LongHandlers;
import dev.unjank.doctor.find.runtime.OwnerlessWaits;
import dev.unjank.doctor.find.runtime.ResourceAndResultWaits;
import dev.unjank.doctor.find.runtime.RuntimeWaitTable;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.LockConvoy;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.ResourceUse;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Severity;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Creates incidents: finds waits, builds their blame trees and judges them. Thread-safe. */
public final class IncidentBuilder {
    private final Trace trace;
    private final LostEvents lostEvents;
    private final LockContentionWaits contentions;
    private final QueueWaits queueWaits;
    private final ResourceAndResultWaits sharedWaits;
    private final LongHandlers longHandlers;
    private final RuntimeWaitTable runtimeWaits;
    private final BinderWaits binderWaits;
    private final List<WaitSource> ownerlessSources;

    /** The sources of waits without an owner, except long handlers, in which the thread works. */
    private final List<WaitSource> blockingSources;

    private final WaitIndex waits;

    /** One per thread, because a builder keeps the path of the tree that it is building. */
    private final ThreadLocal<BlameTree> trees;

    private final OwnerStateTotals ownerStates;
    private final LockConvoyFinder convoys;
    private final PauseWaits pauses;
    private final Map<BlockedInterval, Incident> diagnosed = new ConcurrentHashMap<>();

    public IncidentBuilder(Trace trace, ThreadRefFactory refs, TraceCoverage known, DoctorOptions options) {
        this.trace = trace;
        this.lostEvents = new LostEvents(trace);
        WakeUps wakeUps = new WakeUps(trace);
        this.contentions = new LockContentionWaits(trace, refs, wakeUps);
        this.queueWaits = new QueueWaits(trace, refs);
        this.runtimeWaits = new RuntimeWaitTable(trace, row -> contentions.of(row) != null, options.idle());
        this.sharedWaits = new ResourceAndResultWaits(trace, runtimeWaits, refs, wakeUps);
        JvmPauses stops = new JvmPauses(trace);
        OffSchedulerActivity offScheduler = new OffSchedulerActivity(trace, stops::intervals);
        this.longHandlers = new LongHandlers(trace, runtimeWaits, offScheduler, refs, options.maxHandler());
        this.ownerlessSources = List.of(
                new CpuWaits(trace, refs, known),
                new UninterruptibleSleeps(trace, refs, known),
                new OwnerlessWaits(trace, runtimeWaits, refs),
                longHandlers);
        this.blockingSources = ownerlessSources.stream()
                .filter(source -> source != longHandlers)
                .toList();
        List<WaitSource> own = new ArrayList<>(ownerlessSources);
        own.add(queueWaits);
        JniCriticalSections sections = JniCriticalSections.sections(trace);
        ArtGcWaits collections = new ArtGcWaits(trace, refs, wakeUps, sections);
        ThreadSuspensions suspensions = new ThreadSuspensions(trace);
        this.binderWaits = new BinderWaits(trace, refs, wakeUps);
        this.waits = new WaitIndex(
                trace,
                List.of(
                        contentions,
                        sharedWaits,
                        binderWaits,
                        collections,
                        new SuspendCheckWaits(trace, refs, wakeUps, suspensions, collections),
                        new SuspendedThreadWaits(trace, refs, suspensions),
                        new JniCriticalWaits(trace, refs, sections, stops, offScheduler),
                        new FutexWaits(trace, refs, wakeUps)),
                own,
                known);
        ActivityNames names = new ActivityNames(trace, row -> contentions.of(row) != null);
        this.trees =
                ThreadLocal.withInitial(() -> new BlameTree(trace, waits, wakeUps, refs, names, offScheduler, known));
        this.pauses = new PauseWaits(trace, stops, new ProcessStops(trace, known), refs, waits, offScheduler);
        this.ownerStates = new OwnerStateTotals(trace, known);
        this.convoys = new LockConvoyFinder(trace, waits);
    }

    /** The waits of a thread, with and without an owner, of any duration. */
    BlockedInterval[] waits(int utid) {
        return waits.withOwnerless(utid);
    }

    /** The recorded waits of a thread, without overlaps, of any duration. */
    BlockedInterval[] blocked(int utid) {
        return waits.withOwnerless(utid, blockingSources);
    }

    /** The recorded waits of virtual machines' threads. */
    RuntimeWaitTable runtimeWaits() {
        return runtimeWaits;
    }

    /** The slices of binder calls that poll, by thread. */
    Map<Integer, List<Integer>> polls() {
        return binderWaits.polls();
    }

    /** The waits of a thread for other threads, of any duration. */
    public BlockedInterval[] waitsForOtherThreads(int utid) {
        return waits.outermost(utid);
    }

    /** The states of a thread in an interval, with its own waits. */
    List<Segment> states(Owner owner, long from, long to) {
        return trees.get().states(owner, from, to);
    }

    /** The lock waits of a thread, of any duration. */
    BlockedInterval[] lockWaits(int utid) {
        return Arrays.stream(waits.outermost(utid))
                .filter(interval -> interval.source().isForLock(interval))
                .toArray(BlockedInterval[]::new);
    }

    /**
     * Whether a wait of a thread without a window may delay others: it has locks that they want while it waits for a
     * further one, or work or events that they sent it.
     */
    boolean canBlockOtherThreads(BlockedInterval interval) {
        return interval.source() == queueWaits
                || interval.source() == longHandlers
                || interval.source().isForLock(interval);
    }

    /** Whether a wait has no owner, such as a wait for a CPU. */
    boolean hasNoOwner(BlockedInterval interval) {
        return ownerlessSources.contains(interval.source());
    }

    /** Creates the incident of a wait; its id, scope and severity are not set yet. */
    public Incident of(BlockedInterval interval) {
        Incident incident = diagnosed.get(interval);
        if (incident == null) {
            incident = diagnose(interval); // outside the map, whose locks others wait for
            diagnosed.put(interval, incident);
        }
        return incident;
    }

    /** The pauses of the processes of the given threads, of any duration. */
    List<Incident> pauses(BitSet utids, BitSet eventThreads) {
        return pauses.of(utids).stream()
                .map(wait -> withSeverity(
                        incident(wait, null, null, null),
                        pauses.delaysEventLoop(wait, eventThreads) ? Severity.EVENT_LOOP : Severity.NORMAL))
                .toList();
    }

    /** Whether a pause delayed one of the given threads. */
    boolean delays(Wait pause, BitSet utids) {
        return pauses.delays(pause, utids);
    }

    /** The pauses of all processes, of any duration, in time order. */
    public List<Wait> pauses() {
        BitSet all = new BitSet();
        all.set(0, trace.threads().size());
        return pauses.of(all).stream()
                .sorted(LongOrder.ascending(Wait::startNs))
                .toList();
    }

    private Incident diagnose(BlockedInterval interval) {
        Wait wait = trees.get().of(interval);
        return incident(wait, convoys.of(interval, wait), queueWaits.of(interval), sharedWaits.use(interval));
    }

    private Incident incident(
            Wait wait, @Nullable LockConvoy convoy, @Nullable QueueBacklog backlog, @Nullable ResourceUse resource) {
        Judgement judgement = VerdictRules.judge(wait, convoy, backlog);
        if (lostEvents.concern(wait, judgement)) {
            judgement = judgement.withEvidence(judgement.evidence().orWorse(Evidence.EVENTS_LOST));
        }
        return new Incident(
                0,
                wait,
                judgement,
                ownerStates.of(wait),
                preemptingThreads(wait, judgement.verdict()),
                chainOf(wait),
                backlog,
                judgement.verdict() == Verdict.LOCK_CONVOY ? convoy : null,
                resource,
                false,
                false,
                Severity.NORMAL);
    }

    /** The number of waits of the given threads for contended locks, of any duration. */
    public int countLockWaits(BitSet utids) {
        return utids.stream().map(contentions::count).sum();
    }

    /** {@return the same incident with another number} */
    static Incident withId(Incident incident, int id) {
        return copy(incident, id, incident.isShownByDefault(), incident.isInTraceTotals(), incident.severity());
    }

    /**
     * {@return the same incident with another scope: whether it is shown by default, and whether it counts for the
     * whole trace}
     */
    static Incident withScope(Incident incident, boolean byDefault, boolean counts) {
        return copy(incident, incident.id(), byDefault, counts, incident.severity());
    }

    /** {@return the same incident with another severity} */
    static Incident withSeverity(Incident incident, Severity severity) {
        return copy(incident, incident.id(), incident.isShownByDefault(), incident.isInTraceTotals(), severity);
    }

    private static Incident copy(Incident of, int id, boolean byDefault, boolean counts, Severity severity) {
        return new Incident(
                id,
                of.rootWait(),
                of.judgement(),
                of.ownerStates(),
                of.preemptingThreads(),
                of.chain(),
                of.backlog(),
                of.convoy(),
                of.resource(),
                byDefault,
                counts,
                severity);
    }

    /** The threads that ran while the owners were runnable; for {@link Verdict#NO_CPU}, while the waiter was. */
    private static List<PreemptingThread> preemptingThreads(Wait wait, Verdict verdict) {
        List<List<PreemptingThread>> found = new ArrayList<>();
        wait.forEachLeaf(leaf -> {
            if (Incident.isDecisivePreemption(leaf, wait, verdict)
                    && !leaf.preemptedBy().isEmpty()) {
                found.add(leaf.preemptedBy());
            }
        });
        return found.size() == 1 ? found.getFirst() : sum(found);
    }

    /** Merges lists of preempting threads: one entry per thread and priority, longest first. */
    private static List<PreemptingThread> sum(List<List<PreemptingThread>> lists) {
        Map<Long, PreemptingThread> sums = new LinkedHashMap<>();
        for (List<PreemptingThread> list : lists) {
            for (PreemptingThread preempting : list) {
                long key = ((long) preempting.thread().utid() << 32)
                        | (preempting.thread().priority() & 0xffff_ffffL);
                sums.merge(key, preempting, PreemptingThread::plus);
            }
        }
        List<PreemptingThread> sorted = new ArrayList<>(sums.values());
        sorted.sort(PreemptingThread.LONGEST_FIRST);
        return sorted;
    }

    private static List<Wait> chainOf(Wait wait) {
        List<Wait> chain = new ArrayList<>();
        Wait link = wait;
        while (link != null) {
            chain.add(link);
            Wait longest = null;
            for (Segment part : link.longestOwnerInterval().segments()) {
                Wait further = part.nextWait();
                if (further != null && (longest == null || further.durNs() > longest.durNs())) {
                    longest = further;
                }
            }
            link = longest;
        }
        return chain;
    }
}
