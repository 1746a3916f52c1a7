package dev.unjank.query.span;

/**
 * Cursor over the spans of one side and the gaps between them, so that a join treats both alike.
 *
 * <p>Within a partition there are gaps before the first span, between spans and after the last. Between partitions are
 * the partitions without spans. The states follow each other like this:
 *
 * <pre>
 *   ABSENT ─▶ GAP ─▶ SPAN ─▶ GAP ─▶ SPAN … ─▶ GAP ─▶ ABSENT ─▶ … ─▶ END
 * </pre>
 *
 * States that the join does not need are skipped. A gap between overlapping spans has a negative duration. It is kept:
 * the join of overlapping spans is defined by this sequence.
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
    private final boolean absentPartitions;

    /** The current span, or the next one in a gap. */
    private int next;

    private State state = State.END;
    private long ts;
    private long end;
    private long partition;

    /** Whether this is the last gap of its partition; its end cannot show this, as a span may have any timestamp. */
    private boolean lastGap;

    // the absent partitions, from inclusive to exclusive
    private long absentFrom;
    private long absentTo;

    /** Creates a cursor before the first span. */
    SpanCursor(Spans spans, boolean partitioned, boolean gaps, boolean absents) {
        this.spans = spans;
        this.partitioned = partitioned;
        this.gaps = gaps;
        this.absentPartitions = absents;
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
        skipUnwanted();
    }

    /** Makes the end of the cursor count as absence of all partitions. */
    void treatEndAsAbsent() {
        if (state == State.END) {
            state = State.ABSENT;
        }
    }

    void advance() {
        step();
        skipUnwanted();
    }

    private void skipUnwanted() {
        while (state != State.END && !isWanted()) {
            step();
        }
    }

    private boolean isWanted() {
        return switch (state) {
            case SPAN, END -> true;
            case GAP -> gaps && ts != end;
            case ABSENT -> absentPartitions && ts != end && absentFrom != absentTo;
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
            case END -> throw new AssertionError("step after the end");
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

    /** The stored end; one before the start if it is unknown. */
    long storedEnd() {
        return end;
    }

    /** The end; the start if the end is unknown. */
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
