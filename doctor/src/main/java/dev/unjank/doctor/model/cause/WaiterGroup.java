package dev.unjank.doctor.model.cause;

import java.util.List;

/**
 * The threads of one group that waited, for any kind of resource.
 *
 * @param threads the threads
 * @param incidents the ids of their incidents, ascending
 * @param totalNs the sum of the waits, ns
 * @param costNs their cost by {@link RootCauses#measure}, ns
 */
public record WaiterGroup(ThreadGroupRef threads, List<Integer> incidents, long totalNs, long costNs) {
    /** Copies the list. */
    public WaiterGroup {
        incidents = List.copyOf(incidents);
    }
}
