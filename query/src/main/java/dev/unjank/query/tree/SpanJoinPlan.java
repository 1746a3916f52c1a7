package dev.unjank.query.tree;

import dev.unjank.query.span.SpanJoinKind;
import java.util.List;

/**
 * A join of spans: run both queries, join what they give with {@link dev.unjank.query.span.SpanJoin}, and store the result as a
 * table with the columns {@code ts}, {@code dur} and {@code part}, all BIGINT, and behind them the columns that both sides carry
 * over, NULL where a side has no span.
 *
 * @param kind which spans are kept
 * @param left the left spans
 * @param right the right spans
 * @param into the name of the table to make, replacing any of that name
 */
public record SpanJoinPlan(SpanJoinKind kind, Side left, Side right, String into) {
    /**
     * Spans of one side.
     *
     * @param query gives ts, dur and partition (0 without partitions) as BIGINT, and then the columns to carry over, each BIGINT or
     *     DOUBLE
     * @param partitioned whether the spans are partitioned
     * @param columns what to call the columns carried over; {@link SqlType#INT} or {@link SqlType#REAL}
     */
    public record Side(String query, boolean partitioned, List<TypedColumn> columns) {
        /** Keeps its own copy. */
        public Side {
            columns = List.copyOf(columns);
        }
    }
}
