package dev.unjank.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of time in which the owner of a lock did one thing.
 *
 * @param state what it did
 * @param startNs when it began, on the trace's clock
 * @param durNs how long it lasted, in ns
 * @param thread the owner, with its priority when the stretch began
 * @param detail what it was doing in the program's or the kernel's own words: the slice it was in while it ran, the kernel
 *     function in which it slept; null if the trace does not say
 * @param ranInstead who ran meanwhile on the CPUs that it could have used, longest first; only where it was {@link
 *     OwnerState#PREEMPTED}
 * @param further the further lock it waited for; only where it was {@link OwnerState#BLOCKED}
 */
public record Part(
        OwnerState state,
        long startNs,
        long durNs,
        ThreadRef thread,
        @Nullable String detail,
        List<Culprit> ranInstead,
        @Nullable LockWait further) {
    /** Keeps its own copy of the list. */
    public Part {
        ranInstead = List.copyOf(ranInstead);
    }
}
