package dev.unjank.query.front;

import dev.unjank.query.span.SpanJoinKind;

/**
 * A join of spans: run both queries, join what they give with {@link dev.unjank.query.span.SpanJoin}, and store the result as
 * a table with the columns {@code ts}, {@code dur}, {@code part}, {@code left_row} and {@code right_row}, all BIGINT, the rows
 * NULL where they are -1.
 *
 * @param kind which spans are kept
 * @param left gives ts, dur, partition (0 without partitions) and a row number, all BIGINT, of the left spans
 * @param right the same of the right spans
 * @param leftPartitioned whether the left spans are partitioned
 * @param rightPartitioned whether the right spans are partitioned
 * @param into the name of the table to make, replacing any of that name
 */
public record SpanJoinPlan(
        SpanJoinKind kind, String left, String right, boolean leftPartitioned, boolean rightPartitioned, String into) {}
