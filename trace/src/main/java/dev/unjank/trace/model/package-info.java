/**
 * The tables of a trace: threads, processes, thread states, CPU runs, slices, counters, frames, stack samples, and the
 * strings and columns that they are made of. A {@code Trace} is immutable and may be read by any thread. Doctor, query
 * and convert read it.
 */
@NullMarked
package dev.unjank.trace.model;

import org.jspecify.annotations.NullMarked;
