package dev.unjank.doctor;

import java.util.List;

/**
 * A stretch of a wait in which the lock had one owner.
 *
 * @param owner who had it
 * @param startNs when the stretch began, on the trace's clock
 * @param durNs how long it lasted, in ns
 * @param parts what the owner did meanwhile, in order of time, without gaps and overlaps; empty in a {@code deadlock}
 * @param deadlock whether this owner waits in turn, directly or through others, for the thread that waits here, and none of
 *     them went on within the trace; the tree ends here, the owner's own wait is found further up
 */
public record Hold(Owner owner, long startNs, long durNs, List<Part> parts, boolean deadlock) {
    /** Keeps its own copy of the list. */
    public Hold {
        parts = List.copyOf(parts);
    }
}
