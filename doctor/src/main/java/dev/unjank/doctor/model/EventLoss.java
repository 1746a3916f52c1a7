package dev.unjank.doctor.model;

import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.MessageCatalogue;
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

    /**
     * {@return a sentence that says so}
     */
    public String text() {
        String whose = cpus.isEmpty()
                ? ""
                : (cpus.size() == 1 ? " of CPU " : " of the CPUs ")
                        + MessageCatalogue.enumerate(
                                cpus.stream().map(String::valueOf).toList());
        return "Events" + whose + " were lost for " + DurationFormat.time(durNs)
                + " of this wait: it may have ended earlier, or been for somebody of whom nothing is told.";
    }
}
