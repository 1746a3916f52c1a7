package dev.unjank.query.tree;

import dev.unjank.query.span.SpanJoinKind;
import java.util.List;

/**
 * Plan of a span join: run both queries, join their rows with {@link dev.unjank.query.span.SpanJoin}, and store the
 * result as a table with the BIGINT columns {@code ts}, {@code dur} and {@code part}, followed by the columns carried
 * over from both sides, NULL where a side has no span.
 *
 * @param kind which spans are kept
 * @param left the left side
 * @param right the right side
 * @param into the table to create or replace
 */
public record SpanJoinPlan(SpanJoinKind kind, Side left, Side right, String into) {
    /**
     * One side of the join.
     *
     * @param query returns ts, dur and partition (0 without partitions) as BIGINT, then the columns to carry over as
     *     BIGINT or DOUBLE
     * @param partitioned whether the spans are partitioned
     * @param columns names of the columns carried over; {@link SqlType#INT} or {@link SqlType#REAL}
     */
    public record Side(SqlQuery query, boolean partitioned, List<TypedColumn> columns) {
        /** Copies the columns. */
        public Side {
            columns = List.copyOf(columns);
        }
    }
}
