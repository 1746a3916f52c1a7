package dev.unjank.doctor;

import dev.unjank.trace.Slices;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the times at which threads were blocked on contended locks, and says for each who was in the way, what that thread
 * was doing, and why it took so long.
 */
public final class Doctor {
    private Doctor() {}

    /**
     * Diagnoses a trace.
     *
     * @param trace the trace
     * @param options whose waits count, and how long they must be
     * @return one incident per wait, the longest first; and what the trace lacks for more
     */
    public static Diagnosis diagnose(Trace trace, DoctorOptions options) {
        Slices slices = trace.slices();
        Contentions contentions = new Contentions(trace);
        BlameTree tree = new BlameTree(trace, contentions);
        ThreadSelection selection = new ThreadSelection(trace, options);
        int[] utids = selection.utids();

        List<Incident> incidents = new ArrayList<>();
        long least = options.minDuration().toNanos();
        int waits = 0;
        long longest = 0;
        for (int utid : utids) {
            for (int row : contentions.outermost(utid)) {
                waits++;
                longest = Math.max(longest, slices.dur(row));
                if (slices.dur(row) >= least) {
                    incidents.add(Incident.of(tree.of(utid, row)));
                }
            }
        }
        incidents.sort(
                Comparator.comparingLong((Incident incident) -> -incident.tree().durNs())
                        .thenComparingLong(incident -> incident.tree().startNs()));

        Diagnosis.Search search =
                new Diagnosis.Search(options, utids.length, waits, longest, countAll(trace, contentions) - waits);
        return new Diagnosis(
                trace.name(),
                trace.startNs(),
                trace.endNs() - trace.startNs(),
                search,
                incidents,
                warnings(trace, search, selection, incidents));
    }

    private static int countAll(Trace trace, Contentions contentions) {
        int count = 0;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            count += contentions.outermost(utid).length;
        }
        return count;
    }

    private static List<String> warnings(
            Trace trace, Diagnosis.Search search, ThreadSelection selection, List<Incident> incidents) {
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
