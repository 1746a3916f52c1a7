package dev.unjank.doctor;

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
record Span(long from, long to, OwnerState state, @Nullable String detail) {
    static final Span[] NONE = {};

    /** The index in {@code spans}, which do not overlap and ascend, of the first that ends after a moment. */
    static int firstEndingAfter(Span[] spans, long ts) {
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
    static void addDisjoint(List<Span> spans, Span[] taken, List<Span> into) {
        long end = Long.MIN_VALUE;
        for (Span span : spans) {
            long at = Math.max(span.from, end);
            for (int i = firstEndingAfter(taken, at); i < taken.length && taken[i].from < span.to; i++) {
                if (at < taken[i].from) {
                    into.add(new Span(at, taken[i].from, span.state, span.detail));
                }
                at = Math.max(at, taken[i].to);
            }
            if (at < span.to) {
                into.add(new Span(at, span.to, span.state, span.detail));
            }
            end = Math.max(end, span.to);
        }
    }
}
