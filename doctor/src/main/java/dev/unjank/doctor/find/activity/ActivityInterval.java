package dev.unjank.doctor.find.activity;

import dev.unjank.doctor.model.OwnerState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of time of which it is known what a thread did in it.
 *
 * @param from when it began, on the trace's clock
 * @param to when it ended
 * @param state what was done
 * @param detail more of it, null if there is nothing more to say
 */
public record ActivityInterval(
        long from, long to, OwnerState state, @Nullable String detail) {
    public static final ActivityInterval[] NONE = {};

    /** The index in {@code spans}, which do not overlap and ascend, of the first that ends after a moment. */
    static int firstEndingAfter(ActivityInterval[] spans, long ts) {
        int low = 0;
        int high = spans.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans[middle].to <= ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Adds what is left of spans, which ascend, where neither an earlier one nor one that is taken lies. */
    public static void addDisjoint(
            List<ActivityInterval> spans, ActivityInterval[] taken, List<ActivityInterval> into) {
        long end = Long.MIN_VALUE;
        for (ActivityInterval span : spans) {
            long at = Math.max(span.from, end);
            for (int i = firstEndingAfter(taken, at); i < taken.length && taken[i].from < span.to; i++) {
                if (at < taken[i].from) {
                    into.add(new ActivityInterval(at, taken[i].from, span.state, span.detail));
                }
                at = Math.max(at, taken[i].to);
            }
            if (at < span.to) {
                into.add(new ActivityInterval(at, span.to, span.state, span.detail));
            }
            end = Math.max(end, span.to);
        }
    }
}
