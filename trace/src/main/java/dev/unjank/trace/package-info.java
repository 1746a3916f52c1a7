/**
 * The model of a trace: a handful of tables, each a set of parallel columns, filled once and never changed.
 *
 * <p>{@link dev.unjank.trace.Trace} holds the tables. A row is an {@code int}; what a table knows of a row is asked by a
 * method of that table ({@code slices.ts(row)}), so a million rows are a few arrays and no million objects. Rows refer to
 * one another by number: a <i>utid</i> is a row of {@link dev.unjank.trace.Threads}, a <i>upid</i> one of {@link
 * dev.unjank.trace.Processes}, a name an id in {@link dev.unjank.trace.Strings}. Unlike the kernel's numbers, utids and
 * upids are never reused within a trace. "None" is -1 throughout.
 *
 * <p>Times are nanoseconds on the trace's own clock, usually Linux' {@code CLOCK_BOOTTIME}; only differences mean
 * something. Priorities are the kernel's, smaller is better: below 100 real-time, 100 to 139 ordinary (120 is nice 0), -1
 * deadline.
 *
 * <p>Every table is immutable once built, and any number of threads may read it. {@link dev.unjank.trace.TraceBuilder} is
 * the one way to make a trace; every importer feeds it, and so do tests.
 */
@NullMarked
package dev.unjank.trace;

import org.jspecify.annotations.NullMarked;
