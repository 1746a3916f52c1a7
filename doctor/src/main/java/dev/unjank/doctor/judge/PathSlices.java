package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.CriticalPath.PathSlice;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Slices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds up a thread's slices by name in its part of a critical path. */
final class PathSlices {
    /** Names with less than a twentieth of the frame are left out. */
    private static final int LEAST_SHARE = 20;

    /** A slice that fills more than nine tenths of a named one around it adds no information. */
    private static final double FILLS = 0.9;

    private final Slices slices;
    private final Map<String, Sum> sums = new HashMap<>();

    PathSlices(Slices slices) {
        this.slices = slices;
    }

    /** The slices of a name so far. */
    private static final class Sum {
        private int longest = -1;
        private int depth = Integer.MAX_VALUE;
        private long longestNs;
        private long durNs;
        private long ownNs;
    }

    /** Adds the slices of a thread between its first and last time on the path. */
    void addSpan(int utid, long from, long to) {
        forEachSlice(utid, from, to, (row, ns) -> addDuration(sum(row), row, ns));
    }

    /** Adds the slices of a thread during an interval in which the path leads through it. */
    void addPart(int utid, long from, long to) {
        forEachSlice(utid, from, to, (row, ns) -> {
            sum(row).ownNs += ns;
            if (slices.parent(row) >= 0) {
                sum(slices.parent(row)).ownNs -= ns;
            }
        });
    }

    /** Receives a slice with its duration in an interval. */
    private interface SliceConsumer {
        void accept(int row, long ns);
    }

    private void forEachSlice(int utid, long from, long to, SliceConsumer consumer) {
        for (int row = slices.innermostAt(utid, from); row >= 0; row = slices.parent(row)) {
            consumer.accept(row, Math.min(to, slices.endNs(row)) - from);
        }
        for (int row = slices.firstAfter(utid, from); row < slices.end(utid) && slices.ts(row) < to; row++) {
            consumer.accept(row, Math.min(to, slices.endNs(row)) - slices.ts(row));
        }
    }

    private void addDuration(Sum sum, int row, long ns) {
        if (!isWithinItsName(row)) {
            sum.durNs += ns;
        }
        if (ns > sum.longestNs) {
            sum.longest = row;
            sum.longestNs = ns;
        }
        sum.depth = Math.min(sum.depth, slices.depth(row));
    }

    /** {@return the slices that were added, longest first, for a frame of a duration} */
    List<PathSlice> longest(long frameNs) {
        List<PathSlice> named = new ArrayList<>();
        Set<String> kept = new HashSet<>();
        List<Map.Entry<String, Sum>> sorted = new ArrayList<>(sums.entrySet());
        sorted.sort(LongOrder.<Map.Entry<String, Sum>>descending(entry -> entry.getValue().durNs)
                .thenComparingInt(entry -> entry.getValue().depth)
                .thenComparing(Map.Entry::getKey));
        for (Map.Entry<String, Sum> entry : sorted) {
            Sum sum = entry.getValue();
            if (sum.durNs * LEAST_SHARE >= frameNs && !fillsOneOf(kept, sum)) {
                kept.add(entry.getKey());
                named.add(new PathSlice(entry.getKey(), sum.depth, sum.durNs, sum.ownNs));
            }
        }
        return named;
    }

    private Sum sum(int row) {
        return sums.computeIfAbsent(slices.name(row), _ -> new Sum());
    }

    private boolean isWithinItsName(int row) {
        for (int outer = slices.parent(row); outer >= 0; outer = slices.parent(outer)) {
            if (slices.nameId(outer) == slices.nameId(row)) {
                return true;
            }
        }
        return false;
    }

    private boolean fillsOneOf(Set<String> kept, Sum sum) {
        for (int outer = slices.parent(sum.longest); outer >= 0; outer = slices.parent(outer)) {
            String name = slices.name(outer);
            if (kept.contains(name) && sum.durNs > sum(outer).durNs * FILLS) {
                return true;
            }
        }
        return false;
    }
}
