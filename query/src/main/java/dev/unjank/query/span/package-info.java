/**
 * Span joins (SPAN_JOIN, SPAN_LEFT_JOIN, SPAN_OUTER_JOIN): {@link dev.unjank.query.span.SpanJoin} sweeps over two
 * sorted lists of intervals.
 */
@NullMarked
package dev.unjank.query.span;

import org.jspecify.annotations.NullMarked;
