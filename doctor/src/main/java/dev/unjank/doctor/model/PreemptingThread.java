package dev.unjank.doctor.model;

import java.util.Comparator;

/**
 * A thread that ran while the owner of a lock was ready to run.
 *
 * @param thread the thread, with the priority it ran at
 * @param ranNs how long it ran meanwhile, in ns; summed over CPUs where the owner could have used several
 */
public record PreemptingThread(ThreadRef thread, long ranNs) {

    /** Who ran longest comes first. */
    public static final Comparator<PreemptingThread> LONGEST_FIRST = LongOrder.descending(PreemptingThread::ranNs);

    /** The same thread at two times. */
    public PreemptingThread plus(PreemptingThread other) {
        return new PreemptingThread(thread, ranNs + other.ranNs);
    }
}
