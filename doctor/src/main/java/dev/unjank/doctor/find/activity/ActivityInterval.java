package dev.unjank.doctor.find.activity;

import dev.unjank.doctor.model.OwnerState;
import dev.unjank.trace.collections.BinarySearch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An interval with a known state of a thread or of all threads of a process.
 *
 * @param from start on the trace's clock, ns
 * @param to end, ns
 * @param state the state
 * @param detail the function, slice or operation; null if unknown
 */
public record ActivityInterval(
        long from, long to, OwnerState state, @Nullable String detail) {
    public static final ActivityInterval[] NONE = {};

    /** The index of the first of {@code intervals}, sorted and without overlaps, that ends after a time. */
    static int firstEndingAfter(ActivityInterval[] intervals, long ts) {
        return BinarySearch.first(0, intervals.length, i -> intervals[i].to > ts);
    }

    /** The parts of {@code sorted} intervals that overlap no earlier one. */
    static ActivityInterval[] disjoint(List<ActivityInterval> sorted) {
        List<ActivityInterval> disjoint = new ArrayList<>();
        addDisjoint(sorted, NONE, disjoint);
        return disjoint.toArray(NONE);
    }

    /** Adds the parts of {@code sorted} intervals that overlap neither an earlier one nor one that is {@code taken}. */
    public static void addDisjoint(
            List<ActivityInterval> sorted, ActivityInterval[] taken, List<ActivityInterval> into) {
        long end = Long.MIN_VALUE;
        for (ActivityInterval interval : sorted) {
            long at = Math.max(interval.from, end);
            for (int i = firstEndingAfter(taken, at); i < taken.length && taken[i].from < interval.to; i++) {
                if (at < taken[i].from) {
                    into.add(new ActivityInterval(at, taken[i].from, interval.state, interval.detail));
                }
                at = Math.max(at, taken[i].to);
            }
            if (at < interval.to) {
                into.add(new ActivityInterval(at, interval.to, interval.state, interval.detail));
            }
            end = Math.max(end, interval.to);
        }
    }
}
