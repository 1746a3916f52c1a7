package dev.unjank.doctor;

import dev.unjank.trace.Trace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Puts together what finds, follows and judges waits. Not thread-safe. */
final class Incidents {
    private final Trace trace;
    private final Contentions contentions;
    private final Backlogs backlogs;
    private final Waits waits;
    private final BlameTree tree;
    private final OwnerStates ownerStates;
    private final Convoys convoys;
    private final Map<Stall, Incident> known = new HashMap<>();

    Incidents(Trace trace, ThreadRefs refs) {
        this.trace = trace;
        Wakers wakers = new Wakers(trace);
        this.contentions = new Contentions(trace, refs, wakers);
        this.backlogs = new Backlogs(trace, refs);
        this.waits = new Waits(
                trace,
                List.of(
                        contentions,
                        new BinderCalls(trace, refs, wakers),
                        new GcWaits(trace, refs, wakers),
                        new FutexWaits(trace, refs, wakers)),
                List.of(new CpuStarvation(trace, refs), new KernelWaits(trace, refs), backlogs));
        this.tree = new BlameTree(trace, waits, wakers, refs, new SliceNames(trace, contentions));
        this.ownerStates = new OwnerStates(trace);
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

    /** Diagnoses a wait. Its number is still to be given, and whether it is shown unasked. */
    Incident of(Stall stall) {
        return known.computeIfAbsent(stall, this::diagnose);
    }

    private Incident diagnose(Stall stall) {
        Wait wait = tree.of(stall);
        Convoy convoy = convoys.of(wait);
        Backlog backlog = backlogs.of(stall);
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
                false);
    }

    /** How many waits for contended locks the trace shows, but for those of some threads. */
    int countLockWaitsWithout(BitSet utids) {
        int count = 0;
        for (int utid = utids.nextClearBit(0); utid < trace.threads().size(); utid = utids.nextClearBit(utid + 1)) {
            count += contentions.count(utid);
        }
        return count;
    }
}
