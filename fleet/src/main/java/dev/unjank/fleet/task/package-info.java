/**
 * The analysis of one trace: queries, limits and result tables. {@code TraceTask} is a pure function from a file to
 * rows.
 */
@NullMarked
package dev.unjank.fleet.task;

import org.jspecify.annotations.NullMarked;
