package dev.unjank.query.span;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Fast path of {@link SpanJoin} for the most frequent join: INNER with both sides or neither partitioned. Needs neither
 * gaps nor absent partitions, only two indexes over sorted columns.
 */
final class SpanMerge {
    private static final int STEPS_BETWEEN_POLLS = 1 << 16;

    private final Spans left;
    private final Spans right;
    private final boolean partitioned;

    SpanMerge(Spans left, Spans right, boolean partitioned) {
        this.left = left;
        this.right = right;
        this.partitioned = partitioned;
    }

    /** Joins sorted spans. */
    JoinedSpans merge(BooleanSupplier stop) {
        JoinedSpans joined = new JoinedSpans(Math.max(left.size(), right.size()));
        int l = 0;
        int r = 0;
        for (long steps = 0; l < left.size() && r < right.size(); steps++) {
            if (steps % STEPS_BETWEEN_POLLS == 0 && stop.getAsBoolean()) {
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

    /** The end of a span; its start if the end is unknown. */
    private static long end(long ts, long dur) {
        return dur == -1 ? ts : ts + dur;
    }
}
