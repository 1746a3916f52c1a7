package dev.unjank.doctor;

import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Puts together what finds, follows and judges waits; for any number of threads at once. */
final class Incidents {
    private final Trace trace;
    private final Contentions contentions;
    private final Backlogs backlogs;
    private final List<WaitSource> forNobody;
    private final Waits waits;

    /** A tree that is being built remembers the way down to where it is. */
    private final ThreadLocal<BlameTree> trees;

    private final OwnerStates ownerStates;
    private final Convoys convoys;
    private final Standstills standstills;
    private final Map<Stall, Incident> known = new ConcurrentHashMap<>();

    Incidents(Trace trace, ThreadRefs refs, Known known) {
        this.trace = trace;
        Wakers wakers = new Wakers(trace);
        this.contentions = new Contentions(trace, refs, wakers);
        this.backlogs = new Backlogs(trace, refs);
        this.forNobody = List.of(new CpuStarvation(trace, refs, known), new KernelWaits(trace, refs, known));
        List<WaitSource> own = new ArrayList<>(forNobody);
        own.add(backlogs);
        CriticalSections sections = CriticalSections.sections(trace);
        GcWaits collections = new GcWaits(trace, refs, wakers, sections);
        Suspensions suspensions = new Suspensions(trace);
        Stops stops = new Stops(trace);
        Untold untold = new Untold(trace, stops);
        this.waits = new Waits(
                trace,
                List.of(
                        contentions,
                        new BinderCalls(trace, refs, wakers),
                        collections,
                        new SuspendChecks(trace, refs, wakers, suspensions, collections),
                        new SuspendedSleeps(trace, refs, suspensions),
                        new CriticalSleeps(trace, refs, sections, stops, untold),
                        new FutexWaits(trace, refs, wakers)),
                own,
                known);
        SliceNames names = new SliceNames(trace, contentions);
        this.trees = ThreadLocal.withInitial(() -> new BlameTree(trace, waits, wakers, refs, names, untold, known));
        this.standstills = new Standstills(trace, stops, new Halts(trace, known), refs, waits, untold);
        this.ownerStates = new OwnerStates(trace, known);
        this.convoys = new Convoys(trace, waits);
    }

    /** The waits of a thread of interest, also for nobody; of any length. */
    Stall[] waits(int utid) {
        return waits.ofInterest(utid);
    }

    /** The waits of a thread for others, of any length. */
    Stall[] waitsFor(int utid) {
        return waits.outermost(utid);
    }

    /** The waits of a thread for locks, of any length. */
    Stall[] lockWaits(int utid) {
        return Arrays.stream(waits.outermost(utid))
                .filter(stall -> stall.source().isForLock(stall))
                .toArray(Stall[]::new);
    }

    /**
     * Whether a wait of a thread that nobody looks at may hold up others: it has locks that they want while it waits for a further
     * one, or work that they sent it.
     */
    boolean mayHoldUpOthers(Stall stall) {
        return stall.source() == backlogs || stall.source().isForLock(stall);
    }

    /** Whether nobody is in the way: the thread itself waits for a CPU or for the kernel. */
    boolean isForNobody(Stall stall) {
        return forNobody.contains(stall.source());
    }

    /** Diagnoses a wait. Its number is still to be given, and for what it counts. */
    Incident of(Stall stall) {
        Incident incident = known.get(stall);
        if (incident == null) {
            incident = diagnose(stall); // outside the map, whose locks others wait for
            known.put(stall, incident);
        }
        return incident;
    }

    /**
     * The times in which all threads stood still, of the processes of some threads; of any length.
     *
     * @param eventThreads the threads by which somebody outside notices it
     */
    List<Incident> standstills(BitSet utids, BitSet eventThreads) {
        return standstills.of(utids).stream()
                .map(wait -> incident(wait, null, null)
                        .deserving(
                                standstills.interrupts(wait, eventThreads) ? Attention.EVENT_THREAD : Attention.USUAL))
                .toList();
    }

    /** Whether such a time held up one of some threads. */
    boolean holdsUp(Wait standstill, BitSet utids) {
        return standstills.holdsUp(standstill, utids);
    }

    /** The times in which all threads stood still, of all processes; of any length, in order of time. */
    List<Wait> standstills() {
        BitSet all = new BitSet();
        all.set(0, trace.threads().size());
        return standstills.of(all).stream()
                .sorted(Order.ascending(Wait::startNs))
                .toList();
    }

    private Incident diagnose(Stall stall) {
        Wait wait = trees.get().of(stall);
        return incident(wait, convoys.of(stall, wait), backlogs.of(stall));
    }

    private Incident incident(Wait wait, @Nullable Convoy convoy, @Nullable Backlog backlog) {
        Judgement judgement = Rules.judge(wait, convoy, backlog);
        return new Incident(
                0,
                wait,
                judgement,
                ownerStates.of(wait),
                Incident.culpritsOf(wait, judgement.verdict()),
                Incident.chainOf(wait),
                backlog,
                judgement.verdict() == Verdict.LOCK_CONVOY ? convoy : null,
                false,
                false,
                Attention.USUAL);
    }

    /** How many waits of some threads for contended locks the trace shows, of any length. */
    int countLockWaits(BitSet utids) {
        return utids.stream().map(contentions::count).sum();
    }
}
