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
 * <p>Every table is immutable once built, and any number of threads may read it. The columns of those that grow with the trace
 * ({@link dev.unjank.trace.LongColumn} and its kin) lie outside the Java heap, each in one piece, so that a columnar engine can
 * take them whole; their memory is given back when nobody holds them any more. {@link dev.unjank.trace.TraceBuilder} is the one
 * way to make a trace; every importer feeds it, and so do tests.
 *
 * <h2>How a trace is made</h2>
 *
 * Events come in any order and are noted as records of a few longs ({@code EventKind} says which), in one log for each CPU
 * ({@code EventLog}). {@link dev.unjank.trace.TraceBuilder#build} walks all logs at once in order of time ({@code EventMerge},
 * {@code EventWalk}); each event goes to the trackers that it concerns, and what these have collected becomes the tables.
 *
 * <h2>How to add a table</h2>
 *
 * <ol>
 *   <li>The events: a number in {@code EventKind}, with what its words hold, how many they are and which of them are names; a
 *       public method in the class of its family ({@code KernelEvents}, {@code ProgramEvents}, {@code TrackEvents}) that notes
 *       it. What does not fit into three words goes into a list of the builder's, and the record holds the row.
 *   <li>A tracker that {@code EventWalk.rare} hands the event to, in order of time, with utids and upids instead of the kernel's
 *       numbers and texts by {@code highName} or {@code lowName}: records of parts have their part's ids. It collects rows in
 *       {@code LongLog} and {@code IntLog}.
 *   <li>The table: a final class of columns, like {@link dev.unjank.trace.Counters}, made by the tracker in {@code
 *       EventWalk.trace} and given out by {@link dev.unjank.trace.Trace}.
 * </ol>
 */
@NullMarked
package dev.unjank.trace;

import org.jspecify.annotations.NullMarked;
