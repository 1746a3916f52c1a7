/**
 * Tables as Perfetto's trace processor builds them, for SQL: its numbering of threads, processes, tracks and slices, its
 * treatment of missing events, and argument sets. They are read by an own pass over the file when SQL first needs them; the
 * model of {@code dev.unjank.trace.model}, which the doctor uses, follows other rules and needs none of them.
 */
@NullMarked
package dev.unjank.trace.processor;

import org.jspecify.annotations.NullMarked;
