package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of time in which whoever was in the way did one thing.
 *
 * @param state what it did
 * @param startNs when it began, on the trace's clock
 * @param durNs how long it lasted, in ns
 * @param thread the thread, with its priority when the stretch began
 * @param detail what it was doing in the program's or the kernel's own words: the slice it was in while it ran, or for want of one
 *     the function in which a profiler found it; the kernel function in which it slept; null if the trace does not say
 * @param cpus the CPUs that it is taken to have waited for, ascending: the one that it was put off, or, after it was woken, those
 *     on which it ran at any time in the trace; only where it was {@link OwnerState#PREEMPTED}
 * @param preemptedBy who ran meanwhile on those CPUs, longest first
 * @param nextWait what it waited for in turn; not null if and only if it was {@link OwnerState#BLOCKED}
 */
public record Segment(
        OwnerState state,
        long startNs,
        long durNs,
        ThreadRef thread,
        @Nullable String detail,
        List<Integer> cpus,
        List<PreemptingThread> preemptedBy,
        @Nullable Wait nextWait) {
    /** Keeps its own copies of the lists. */
    public Segment {
        cpus = List.copyOf(cpus);
        preemptedBy = List.copyOf(preemptedBy);
    }

    /**
     * {@return when it ended, on the trace's clock}
     */
    public long endNs() {
        return startNs + durNs;
    }
}
