package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;

/**
 * That somebody was to blame for a wait from a moment on, until the next claim.
 *
 * @param startNs the moment
 * @param owner who
 * @param slice the slice in which the owner does what is waited for; -1 if that is not one slice. Only waits within it count
 *     as the owner's, so that a thread may serve the very call it is waiting for itself
 * @param offCpuState what it means that the owner does not run, or that the trace does not show it: {@link OwnerState#SLEEPING},
 *     or what the source knows better
 */
public record BlameInterval(long startNs, Owner owner, int slice, OwnerState offCpuState) {
    /** Whether the slice is a critical section or call: whatever the owner does in it, the collector waits. */
    public boolean isCritical() {
        return slice >= 0 && offCpuState.isCritical();
    }

    public BlameInterval(long startNs, Owner owner, int within) {
        this(startNs, owner, within, OwnerState.SLEEPING);
    }

    public BlameInterval(long startNs, Owner owner) {
        this(startNs, owner, -1);
    }
}
