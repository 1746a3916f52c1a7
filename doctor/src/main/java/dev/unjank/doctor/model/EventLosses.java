package dev.unjank.doctor.model;

import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** When events were lost of a trace. Immutable. */
public final class EventLosses {
    /** In order of time. */
    private final List<DataLoss> losses;

    /** Stretches of time in which events of any CPU were lost, without overlaps. */
    private final List<Stretch> stretches = new ArrayList<>();

    /** A stretch, and the losses that it is made of: from one index to another. */
    private record Stretch(long startNs, long endNs, int from, int to) {}

    public EventLosses(Trace trace) {
        losses = trace.dataLosses();
        int first = 0;
        long end = Long.MIN_VALUE;
        for (int i = 0; i <= losses.size(); i++) {
            if (i == losses.size() || losses.get(i).startNs() > end) {
                if (i > 0) {
                    stretches.add(new Stretch(losses.get(first).startNs(), end, first, i));
                }
                first = i;
            }
            end = i < losses.size() ? Math.max(end, losses.get(i).endNs()) : end;
        }
    }

    /**
     * {@return what was lost in an interval, null if nothing is known to have been}
     *
     * @param fromNs its beginning, on the trace's clock
     * @param toNs its end
     */
    public @Nullable EventLoss during(long fromNs, long toNs) {
        long sum = 0;
        boolean any = false;
        TreeSet<Integer> cpus = new TreeSet<>();
        for (int i = firstEndingAfter(fromNs); i < stretches.size() && stretches.get(i).startNs < toNs; i++) {
            Stretch stretch = stretches.get(i);
            sum += Math.min(toNs, stretch.endNs) - Math.max(fromNs, stretch.startNs);
            for (DataLoss loss : losses.subList(stretch.from, stretch.to)) {
                if (loss.startNs() < toNs && loss.endNs() > fromNs) {
                    any |= loss.cpu() == DataLoss.ANY_CPU;
                    cpus.add(loss.cpu());
                }
            }
        }
        return sum == 0 ? null : new EventLoss(sum, any ? List.of() : List.copyOf(cpus));
    }

    private int firstEndingAfter(long ts) {
        int low = 0;
        int high = stretches.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stretches.get(middle).endNs <= ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
