/** Joins of spans, done by a sweep over sorted columns: {@link dev.unjank.query.span.SpanJoin}. */
@NullMarked
package dev.unjank.query.span;

import org.jspecify.annotations.NullMarked;
