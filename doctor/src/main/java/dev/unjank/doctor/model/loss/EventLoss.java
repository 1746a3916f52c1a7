package dev.unjank.doctor.model.loss;

import java.util.List;

/**
 * Events lost during an interval: an analysis of the interval may be wrong.
 *
 * @param durNs the part of the interval with losses, ns
 * @param cpus the CPUs that lost events, ascending; empty if any CPU may have lost some
 */
public record EventLoss(long durNs, List<Integer> cpus) {
    /** Copies the list. */
    public EventLoss {
        cpus = List.copyOf(cpus);
    }
}
