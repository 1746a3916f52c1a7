package dev.unjank.query.span;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * The walk of {@link SpanJoin} where nothing but spans matters: neither gaps, nor partitions that one side lacks, nor a side that
 * is walked more than once. That is the join asked for most, and here it is two indexes over sorted columns.
 */
final class SpanMerge {
    private static final int STEPS_BETWEEN_QUESTIONS = 1 << 16;

    private final Spans left;
    private final Spans right;
    private final boolean partitioned;

    SpanMerge(Spans left, Spans right, boolean partitioned) {
        this.left = left;
        this.right = right;
        this.partitioned = partitioned;
    }

    /** Joins spans that are sorted. */
    JoinedSpans merge(BooleanSupplier stop) {
        JoinedSpans joined = new JoinedSpans(Math.max(left.size(), right.size()));
        int l = 0;
        int r = 0;
        for (long steps = 0; l < left.size() && r < right.size(); steps++) {
            if (steps % STEPS_BETWEEN_QUESTIONS == 0 && stop.getAsBoolean()) {
                throw new CancellationException();
            }
            if (partitioned && left.partition(l) != right.partition(r)) {
                if (left.partition(l) < right.partition(r)) {
                    l++;
                } else {
                    r++;
                }
                continue;
            }
            long leftTs = left.ts(l);
            long rightTs = right.ts(r);
            long leftEnd = end(leftTs, left.dur(l));
            long rightEnd = end(rightTs, right.dur(r));
            boolean leftLater = leftTs >= rightTs && leftTs < rightEnd;
            boolean rightLater = rightTs >= leftTs && rightTs < leftEnd;
            if (leftTs == rightTs || leftLater || rightLater) {
                long start = Math.max(leftTs, rightTs);
                long end = Math.min(leftTs + left.dur(l), rightTs + right.dur(r));
                joined.add(start, end - start, left.partition(l), left.row(l), right.row(r));
            }
            if (leftEnd < rightEnd) {
                l++;
            } else {
                r++;
            }
        }
        return joined;
    }

    /** The end of a span; its beginning if the end is not known. */
    private static long end(long ts, long dur) {
        return dur == -1 ? ts : ts + dur;
    }
}
