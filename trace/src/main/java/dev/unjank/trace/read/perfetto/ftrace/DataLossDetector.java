package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.read.common.ClockConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Determines when kernel events were lost, from the bundles. Each bundle belongs to one CPU. If the kernel dropped
 * events before a bundle, the events since the CPU's previous bundle are lost; a dropped packet may have contained
 * the next bundle of any CPU. Newer recorders write into a bundle the time of an earlier event of the CPU: if the trace
 * does not have that event, a bundle is missing.
 */
public final class DataLossDetector {
    private final Map<Integer, Bundles> cpus = new TreeMap<>();
    private final List<DataLoss> losses = new ArrayList<>();
    private int drops;

    /** The first and the last bundle of a CPU, each with the number of packets dropped before it. */
    private record Bundles(
            long earlierNs, long firstNs, boolean isFirstLossy, int dropsAtFirst, long lastNs, int dropsAtLast) {
        Bundles followedBy(Bundles later) {
            return new Bundles(earlierNs, firstNs, isFirstLossy, dropsAtFirst, later.lastNs, later.dropsAtLast);
        }
    }

    /** A packet was dropped before the next bundle. */
    public void packetDropped() {
        drops++;
    }

    /**
     * Adds the next bundle, from its first event to its last.
     *
     * @param earlierNs the time of an event of the CPU before the bundle, {@link ClockConverter#UNKNOWN} if none is
     *     recorded
     */
    public void bundle(int cpu, long earlierNs, long firstNs, long lastNs, boolean isLossy) {
        add(cpu, new Bundles(earlierNs, firstNs, isLossy, drops, lastNs, drops));
    }

    private void add(int cpu, Bundles next) {
        cpus.merge(cpu, next, (before, later) -> {
            boolean isMissing = later.earlierNs > before.lastNs;
            if (later.isFirstLossy || before.dropsAtLast < later.dropsAtFirst || isMissing) {
                losses.add(DataLoss.recorded(cpu, before.lastNs, later.firstNs));
            }
            return before.followedBy(later);
        });
    }

    /** Appends the bundles of another detector. */
    public void append(DataLossDetector other) {
        losses.addAll(other.losses);
        other.cpus.forEach((cpu, its) -> add(
                cpu,
                new Bundles(
                        its.earlierNs,
                        its.firstNs,
                        its.isFirstLossy,
                        drops + its.dropsAtFirst,
                        its.lastNs,
                        drops + its.dropsAtLast)));
        drops += other.drops;
    }

    /** Reports all losses; a loss before a CPU's first bundle has no beginning. */
    public void reportTo(TraceBuilder builder) {
        losses.forEach(loss -> builder.addDataLoss(loss.cpu(), loss.startNs(), loss.endNs()));
        cpus.forEach((cpu, its) -> {
            if (its.isFirstLossy || its.dropsAtFirst > 0) {
                builder.addDataLoss(cpu, Long.MIN_VALUE, its.firstNs);
            }
        });
    }
}
