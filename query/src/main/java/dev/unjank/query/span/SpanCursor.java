package dev.unjank.query.span;

/**
 * Walks over the spans of one side and over the gaps around them, so that a join need not know what is a span and what a gap.
 *
 * <p>Within a partition gaps lie before the first span, between two and behind the last; between the partitions lie those that
 * have no span at all. The states follow one another so:
 *
 * <pre>
 *   ABSENT ─▶ GAP ─▶ SPAN ─▶ GAP ─▶ SPAN … ─▶ GAP ─▶ ABSENT ─▶ … ─▶ END
 * </pre>
 *
 * and what the join has no use for is passed over. Where spans overlap, a gap between them has a negative length; it is kept,
 * because a join of overlapping spans is defined by this walk and nothing else.
 */
final class SpanCursor {
    private enum State {
        SPAN,
        GAP,
        ABSENT,
        END
    }

    private final Spans spans;
    private final boolean partitioned;
    private final boolean gaps;
    private final boolean absents;

    /** The span at hand, or the next one while in a gap. */
    private int next;

    private State state = State.END;
    private long ts;
    private long end;
    private long partition;

    /** Whether the gap at hand is the last of its partition: spans may lie at any time, so no end of a gap tells. */
    private boolean lastGap;

    // which partitions are absent: from (included) to (excluded)
    private long absentFrom;
    private long absentTo;

    /**
     * @param partitioned whether the spans have partitions
     * @param gaps whether the join needs gaps within partitions
     * @param absents whether it needs the partitions without spans
     */
    SpanCursor(Spans spans, boolean partitioned, boolean gaps, boolean absents) {
        this.spans = spans;
        this.partitioned = partitioned;
        this.gaps = gaps;
        this.absents = absents;
        this.partition = Long.MIN_VALUE;
        rewind();
    }

    void rewind() {
        next = 0;
        state = State.ABSENT;
        ts = 0;
        end = Long.MAX_VALUE;
        absentFrom = Long.MIN_VALUE;
        absentTo = exhausted() ? Long.MAX_VALUE : partitioned ? spans.partition(0) : Long.MIN_VALUE;
        passOver();
    }

    /** Makes a cursor at its end stand for all partitions being absent. */
    void treatEndAsAbsent() {
        if (state == State.END) {
            state = State.ABSENT;
        }
    }

    void advance() {
        step();
        passOver();
    }

    private void passOver() {
        while (state != State.END && !isWanted()) {
            step();
        }
    }

    private boolean isWanted() {
        return switch (state) {
            case SPAN, END -> true;
            case GAP -> gaps && ts != end;
            case ABSENT -> absents && ts != end && absentFrom != absentTo;
        };
    }

    private boolean exhausted() {
        return next >= spans.size();
    }

    private void step() {
        switch (state) {
            case SPAN -> {
                ts = end();
                next++;
                boolean last = exhausted() || (partitioned && spans.partition(next) != partition);
                end = last ? Long.MAX_VALUE : spans.ts(next);
                lastGap = last;
                state = State.GAP;
            }
            case GAP -> {
                if (lastGap) {
                    ts = 0;
                    absentFrom = partition == Long.MAX_VALUE ? partition : partition + 1;
                    absentTo = exhausted() ? Long.MAX_VALUE : spans.partition(next);
                    state = State.ABSENT;
                } else {
                    ts = spans.ts(next);
                    end = ts + spans.dur(next);
                    state = State.SPAN;
                }
            }
            case ABSENT -> {
                if (exhausted()) {
                    state = State.END;
                } else {
                    partition = absentTo;
                    ts = 0;
                    end = spans.ts(next);
                    lastGap = false;
                    state = State.GAP;
                }
            }
            case END -> throw new AssertionError("there is nothing behind the end");
        }
    }

    boolean isSpan() {
        return state == State.SPAN;
    }

    boolean isEnd() {
        return state == State.END;
    }

    boolean isPartitioned() {
        return partitioned;
    }

    long ts() {
        return ts;
    }

    /** The end as it is stored: one before the beginning if it is not known. */
    long storedEnd() {
        return end;
    }

    /** The end; the beginning if it is not known. */
    long end() {
        return end - ts == -1 ? ts : end;
    }

    long partition() {
        return partition;
    }

    long firstPartition() {
        return state == State.ABSENT ? absentFrom : partition;
    }

    long lastPartition() {
        return state == State.ABSENT ? absentTo - 1 : partition;
    }

    int row() {
        return isSpan() ? spans.row(next) : JoinedSpans.NO_ROW;
    }
}
