package dev.unjank.doctor.model;

import java.util.List;

/**
 * That events were lost while something went on, so that what is said of it may be wrong.
 *
 * @param durNs for how long of it, in ns
 * @param cpus the CPUs whose events were lost, ascending; empty if those of any may have been
 */
public record EventLoss(long durNs, List<Integer> cpus) {
    /** Keeps its own copy of the list. */
    public EventLoss {
        cpus = List.copyOf(cpus);
    }
}
