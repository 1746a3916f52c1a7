package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An interval in which the owner of a wait was in one state.
 *
 * @param state the state
 * @param startNs start on the trace's clock, ns
 * @param durNs duration, ns
 * @param thread the owner, with its priority at the start
 * @param detail the slice or the sampled function in which it ran, or the kernel function in which it slept; or why its
 *     state is unknown: {@link #CHAIN_TOO_LONG}, {@link #LOCK_CHANGED_HANDS}; null if unknown
 * @param cpus the CPUs that it waited for while {@link OwnerState#RUNNABLE}, ascending: the one it was preempted on or,
 *     after a wake-up, all on which it ran in the trace; empty in other states
 * @param preemptedBy the threads that ran meanwhile on those CPUs, longest first
 * @param lessImportantNs the part of a preemption in which a thread with a lower priority than the waiter at the root
 *     of the tree ran on one of those CPUs, ns; simultaneous runs count once; 0 if the owner's priority is not lower
 * @param nextWait the owner's own wait; not null if and only if the state is {@link OwnerState#BLOCKED}
 */
public record Segment(
        OwnerState state,
        long startNs,
        long durNs,
        ThreadRef thread,
        @Nullable String detail,
        List<Integer> cpus,
        List<PreemptingThread> preemptedBy,
        long lessImportantNs,
        @Nullable Wait nextWait) {
    /** A longer chain of owners is not followed: it would not be readable, and the stack is limited. */
    public static final int LONGEST_CHAIN = 64;

    /** The detail of a segment whose owner had itself an owner, at the end of the longest chain that is followed. */
    public static final String CHAIN_TOO_LONG = "chain too long";

    /** The detail of a segment in which the recorded owner waited for the waiter: the lock must have another owner. */
    public static final String LOCK_CHANGED_HANDS = "lock changed hands";

    /** Copies the lists. */
    public Segment {
        cpus = List.copyOf(cpus);
        preemptedBy = List.copyOf(preemptedBy);
    }

    /**
     * Creates a segment without time in which a less important thread than the waiter ran.
     *
     * @param state the state
     * @param startNs start, ns
     * @param durNs duration, ns
     * @param thread the owner
     * @param detail what it did; null if unknown
     * @param cpus the CPUs that it waited for
     * @param preemptedBy the threads that ran meanwhile
     * @param nextWait the owner's own wait; null if none
     */
    public Segment(
            OwnerState state,
            long startNs,
            long durNs,
            ThreadRef thread,
            @Nullable String detail,
            List<Integer> cpus,
            List<PreemptingThread> preemptedBy,
            @Nullable Wait nextWait) {
        this(state, startNs, durNs, thread, detail, cpus, preemptedBy, 0, nextWait);
    }

    /**
     * {@return the time of a preemption in which the waiter itself did not run, ns}
     *
     * @param waiter the waiter at the root of the tree
     */
    public long preemptedByOthersNs(ThreadRef waiter) {
        long ns = durNs;
        for (PreemptingThread preempting : preemptedBy) {
            if (preempting.thread().utid() == waiter.utid()) {
                ns -= Math.min(ns, preempting.ranNs());
            }
        }
        return ns;
    }

    /** {@return the end on the trace's clock, ns} */
    public long endNs() {
        return startNs + durNs;
    }
}
