package dev.unjank.doctor;

import java.util.Comparator;

/**
 * A thread that ran while the owner of a lock was ready to run.
 *
 * @param thread the thread, with the priority it ran at
 * @param ranNs how long it ran meanwhile, in ns; summed over CPUs where the owner could have used several
 */
public record Culprit(ThreadRef thread, long ranNs) {

    /** Who ran longest comes first. */
    static final Comparator<Culprit> LONGEST_FIRST = Order.descending(Culprit::ranNs);

    /** The same thread at two times. */
    Culprit and(Culprit other) {
        return new Culprit(thread, ranNs + other.ranNs);
    }
}
