package dev.unjank.doctor;

import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the times at which threads could not run although they had work, and says for each who was in the way, what that thread
 * was doing, why it took so long, and which frames it cost.
 */
public final class Doctor {
    private final Trace trace;
    private final DoctorOptions options;
    private final ThreadSelection selection;
    private final Contentions contentions;
    private final Waits waits;
    private final BlameTree tree;
    private final OwnerStates ownerStates;

    private Doctor(Trace trace, DoctorOptions options) {
        this.trace = trace;
        this.options = options;
        this.selection = new ThreadSelection(trace, options);
        ThreadRefs refs = new ThreadRefs(trace);
        Wakers wakers = new Wakers(trace);
        this.contentions = new Contentions(trace, refs, wakers);
        this.waits = new Waits(trace, List.of(contentions));
        this.tree = new BlameTree(trace, waits, wakers, refs, new SliceNames(trace, contentions));
        this.ownerStates = new OwnerStates(trace);
    }

    /**
     * Diagnoses a trace.
     *
     * @param trace the trace
     * @param options whose waits count, and how long they must be
     * @return one incident per wait, the longest first; and what the trace lacks for more
     */
    public static Diagnosis diagnose(Trace trace, DoctorOptions options) {
        return new Doctor(trace, options).diagnose();
    }

    private Diagnosis diagnose() {
        int[] utids = selection.utids();
        List<Incident> incidents = new ArrayList<>();
        long least = options.minDuration().toNanos();
        int count = 0;
        long longest = 0;
        for (int utid : utids) {
            for (Stall stall : waits.outermost(utid)) {
                count++;
                longest = Math.max(longest, stall.durNs());
                if (stall.durNs() >= least) {
                    incidents.add(incident(stall));
                }
            }
        }
        incidents.sort(
                Comparator.comparingLong((Incident incident) -> -incident.tree().durNs())
                        .thenComparingLong(incident -> incident.tree().startNs()));
        for (int i = 0; i < incidents.size(); i++) {
            incidents.set(i, incidents.get(i).withId(i));
        }

        Diagnosis.Search search = new Diagnosis.Search(options, utids.length, count, longest, countAll() - count);
        return new Diagnosis(
                trace.name(),
                trace.startNs(),
                trace.endNs() - trace.startNs(),
                search,
                incidents,
                List.of(),
                List.of(),
                List.of(),
                new Summary(0, 0, 0, new Summary.Inversions(0, 0, 0, 0), 0, 0, List.of()),
                warnings(search, incidents));
    }

    private Incident incident(Stall stall) {
        Wait wait = tree.of(stall);
        Judgement judgement = Rules.judge(wait, null);
        return new Incident(
                0,
                wait,
                judgement,
                ownerStates.of(wait),
                Incident.culpritsOf(wait, judgement.verdict()),
                Incident.chainOf(wait),
                null,
                null);
    }

    private int countAll() {
        int count = 0;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            count += waits.outermost(utid).length;
        }
        return count;
    }

    private List<String> warnings(Diagnosis.Search search, List<Incident> incidents) {
        List<String> warnings = new ArrayList<>();
        if (search.threads() == 0 && trace.threads().size() > 1) {
            warnings.add(selection.whyNone());
        }
        long ownerless = incidents.stream()
                .filter(incident -> incident.owner().evidence() == Evidence.UNKNOWN)
                .count();
        if (ownerless > 0) {
            warnings.add("the trace does not show who owned the lock in " + ownerless + " of " + incidents.size()
                    + " incidents");
        }
        warnings.addAll(trace.warnings());
        return warnings;
    }
}
