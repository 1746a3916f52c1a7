package dev.unjank.query.span;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Joins spans of two sides where they overlap, as Perfetto's SPAN_JOIN does: a sweep over both sides in order of
 * partition and time that advances the side with the earlier end. Linear in the spans of both sides; an unpartitioned
 * side is swept once for each partition of a partitioned side.
 *
 * <p>Spans of one side should not overlap within a partition. If they do, the result lacks some pairs. Perfetto's
 * result is the same, and published queries rely on it.
 */
public final class SpanJoin {
    private static final int STEPS_BETWEEN_POLLS = 1 << 16;

    private final SpanCursor left;
    private final SpanCursor right;
    private final boolean mixed;
    private long mixedPartition = Long.MIN_VALUE;

    private SpanJoin(SpanCursor left, SpanCursor right) {
        this.left = left;
        this.right = right;
        this.mixed = left.isPartitioned() != right.isPartitioned();
    }

    /**
     * Joins two sides.
     *
     * @param kind which spans to keep if only one side has a span
     * @param left spans of the left side; sorted in place
     * @param leftPartitioned whether only spans of the same partition match
     * @param right spans of the right side; sorted in place
     * @param rightPartitioned whether only spans of the same partition match
     * @param stop polled; true cancels the join
     * @return the joined spans, in order
     * @throws CancellationException if the join was cancelled
     */
    public static JoinedSpans join(
            SpanJoinKind kind,
            Spans left,
            boolean leftPartitioned,
            Spans right,
            boolean rightPartitioned,
            BooleanSupplier stop) {
        left.sort();
        right.sort();
        if (kind == SpanJoinKind.INNER && leftPartitioned == rightPartitioned) {
            return new SpanMerge(left, right, leftPartitioned).merge(stop);
        }
        return walk(kind, left, leftPartitioned, right, rightPartitioned, stop);
    }

    /** Joins sorted spans. */
    static JoinedSpans walk(
            SpanJoinKind kind,
            Spans left,
            boolean leftPartitioned,
            Spans right,
            boolean rightPartitioned,
            BooleanSupplier stop) {
        boolean mixed = leftPartitioned != rightPartitioned;
        boolean none = !leftPartitioned && !rightPartitioned;
        boolean leftGaps = kind == SpanJoinKind.OUTER;
        boolean rightGaps = kind != SpanJoinKind.INNER;
        boolean leftAbsents = leftGaps && !none && !(mixed && leftPartitioned);
        boolean rightAbsents = rightGaps && !none && !(mixed && rightPartitioned);
        SpanCursor l = new SpanCursor(left, leftPartitioned, leftGaps, leftAbsents);
        SpanCursor r = new SpanCursor(right, rightPartitioned, rightGaps, rightAbsents);
        if (leftGaps && !(mixed && leftPartitioned)) {
            l.treatEndAsAbsent();
        }
        if (rightGaps && !(mixed && rightPartitioned)) {
            r.treatEndAsAbsent();
        }
        return new SpanJoin(l, r).sweep(stop);
    }

    private JoinedSpans sweep(BooleanSupplier stop) {
        JoinedSpans joined = new JoinedSpans(0);
        for (long steps = 0; !isDone(); steps++) {
            if (steps % STEPS_BETWEEN_POLLS == 0 && stop.getAsBoolean()) {
                throw new CancellationException();
            }
            SpanCursor first = endsFirst();
            if (overlap()) {
                long start = Math.max(left.ts(), right.ts());
                long end = Math.min(left.storedEnd(), right.storedEnd());
                joined.add(start, end - start, partition(), left.row(), right.row());
            }
            first.advance();
        }
        return joined;
    }

    /** Whether a side is at its end. With one partitioned side, each of its partitions restarts the other side. */
    private boolean isDone() {
        if (!mixed) {
            return left.isEnd() || right.isEnd();
        }
        SpanCursor partitioned = left.isPartitioned() ? left : right;
        SpanCursor plain = left.isPartitioned() ? right : left;
        if (partitioned.isEnd()) {
            return true;
        }
        if (partitioned.partition() != mixedPartition) {
            plain.rewind();
            mixedPartition = partitioned.partition();
        }
        return false;
    }

    private long partition() {
        return mixed ? mixedPartition : left.isSpan() ? left.partition() : right.partition();
    }

    private boolean overlap() {
        if (left.isEnd() || right.isEnd() || (!left.isSpan() && !right.isSpan())) {
            return false;
        }
        if (!mixed && left.isPartitioned() && !samePartition()) {
            return false;
        }
        boolean together = left.ts() == right.ts() && left.isSpan() && right.isSpan();
        boolean leftLater = left.ts() >= right.ts() && left.ts() < right.end();
        boolean rightLater = right.ts() >= left.ts() && right.ts() < left.end();
        return together || leftLater || rightLater;
    }

    private boolean samePartition() {
        boolean leftLater =
                left.firstPartition() >= right.firstPartition() && left.firstPartition() <= right.lastPartition();
        boolean rightLater =
                right.firstPartition() >= left.firstPartition() && right.firstPartition() <= left.lastPartition();
        return leftLater || rightLater;
    }

    /**
     * The side to advance: the one in the smaller partition, then the one that ends first, then a gap before a span.
     */
    private SpanCursor endsFirst() {
        if (mixed) {
            if (left.isEnd()) {
                return right;
            }
            if (right.isEnd()) {
                return left;
            }
        } else if (left.isPartitioned() && left.lastPartition() != right.lastPartition()) {
            return left.lastPartition() < right.lastPartition() ? left : right;
        }
        if (left.end() != right.end()) {
            return left.end() < right.end() ? left : right;
        }
        return !left.isSpan() && right.isSpan() ? left : right;
    }
}
