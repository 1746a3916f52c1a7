package dev.unjank.doctor.model;

import dev.unjank.trace.collections.LongOrder;
import java.util.Comparator;

/**
 * A thread that ran while an owner, or the blocked thread itself, was runnable.
 *
 * @param thread the thread, with the priority it ran at
 * @param ranNs time it ran meanwhile, ns; summed over the CPUs that the runnable thread could have used
 */
public record PreemptingThread(ThreadRef thread, long ranNs) {
    /** Longest run time first. */
    public static final Comparator<PreemptingThread> LONGEST_FIRST = LongOrder.descending(PreemptingThread::ranNs);

    /**
     * {@return this thread with the sum of both run times}
     *
     * @param other the same thread at another time
     */
    public PreemptingThread plus(PreemptingThread other) {
        return new PreemptingThread(thread, ranNs + other.ranNs);
    }
}
