package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;

/**
 * The owner of a wait from a time on, until the next blame interval of the wait.
 *
 * @param startNs start on the trace's clock, ns
 * @param owner the owner
 * @param slice the slice of the owner's critical section or call; -1 if that is not one slice. Only waits within it
 *     count as the owner's, so that a thread may serve the call that it waits for itself
 * @param offCpuState the state of the owner while it does not run, or is not in the trace: {@link OwnerState#SLEEPING},
 *     or the more specific one that the source knows
 */
public record BlameInterval(long startNs, Owner owner, int slice, OwnerState offCpuState) {
    /** {@return whether the owner blocks the collector in the slice, running or not} */
    public boolean isCritical() {
        return slice >= 0 && offCpuState.isCritical();
    }

    public BlameInterval(long startNs, Owner owner, int slice) {
        this(startNs, owner, slice, OwnerState.SLEEPING);
    }

    public BlameInterval(long startNs, Owner owner) {
        this(startNs, owner, -1);
    }
}
