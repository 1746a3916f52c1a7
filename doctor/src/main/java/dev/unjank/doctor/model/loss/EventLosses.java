package dev.unjank.doctor.model.loss;

import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The intervals in which a trace lost events. Immutable. */
public final class EventLosses {
    /** By start time. */
    private final List<DataLoss> losses;

    /** Intervals in which any CPU lost events, without overlaps. */
    private final List<Interval> intervals = new ArrayList<>();

    /** Losses [from, to) that overlap each other. */
    private record Interval(long startNs, long endNs, int from, int to) {}

    /**
     * Collects the losses of a trace.
     *
     * @param trace the trace
     */
    public EventLosses(Trace trace) {
        this(trace.dataLosses());
    }

    private EventLosses(List<DataLoss> losses) {
        this.losses = losses;
        int first = 0;
        long end = Long.MIN_VALUE;
        for (int i = 0; i <= losses.size(); i++) {
            if (i == losses.size() || losses.get(i).startNs() > end) {
                if (i > 0) {
                    intervals.add(new Interval(losses.get(first).startNs(), end, first, i));
                }
                first = i;
            }
            end = i < losses.size() ? Math.max(end, losses.get(i).endNs()) : end;
        }
    }

    /**
     * {@return the losses of a trace that it records, or those that only contradicting events show}
     *
     * @param trace the trace
     * @param areRecorded whether the trace records the losses
     */
    public static EventLosses of(Trace trace, boolean areRecorded) {
        return new EventLosses(trace.dataLosses().stream()
                .filter(loss -> loss.isRecorded() == areRecorded)
                .toList());
    }

    /**
     * {@return the losses during an interval, null if none is known}
     *
     * @param fromNs start of the interval on the trace's clock, ns
     * @param toNs end of the interval, ns
     */
    public @Nullable EventLoss during(long fromNs, long toNs) {
        long sum = 0;
        boolean any = false;
        TreeSet<Integer> cpus = new TreeSet<>();
        int first = BinarySearch.first(0, intervals.size(), i -> intervals.get(i).endNs > fromNs);
        for (int i = first; i < intervals.size() && intervals.get(i).startNs < toNs; i++) {
            Interval interval = intervals.get(i);
            sum += Math.min(toNs, interval.endNs) - Math.max(fromNs, interval.startNs);
            for (DataLoss loss : losses.subList(interval.from, interval.to)) {
                if (loss.startNs() < toNs && loss.endNs() > fromNs) {
                    any |= loss.cpu() == DataLoss.ANY_CPU;
                    cpus.add(loss.cpu());
                }
            }
        }
        return sum == 0 ? null : new EventLoss(sum, any ? List.of() : List.copyOf(cpus));
    }
}
