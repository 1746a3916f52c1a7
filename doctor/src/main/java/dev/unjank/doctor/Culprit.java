package dev.unjank.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A thread that ran while the owner of a lock was ready to run.
 *
 * @param thread the thread, with the priority it ran at
 * @param ranNs how long it ran meanwhile, in ns; summed over CPUs where the owner could have used several
 */
public record Culprit(ThreadRef thread, long ranNs) {

    /** Who ran longest comes first. */
    static final Comparator<Culprit> LONGEST_FIRST =
            Comparator.comparingLong(Culprit::ranNs).reversed();

    /** Makes culprits of times per thread and priority. */
    static List<Culprit> longestFirst(Map<ThreadRef, Long> ranNs) {
        List<Culprit> culprits = new ArrayList<>(ranNs.size());
        ranNs.forEach((thread, ran) -> culprits.add(new Culprit(thread, ran)));
        culprits.sort(LONGEST_FIRST);
        return culprits;
    }
}
