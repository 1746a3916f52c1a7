/**
 * Reads bundles of kernel events (ftrace) in Perfetto's format, several at a time in large traces: sched_switch and
 * waking, plain and compact, atrace prints, and data loss.
 */
@NullMarked
package dev.unjank.trace.read.perfetto.ftrace;

import org.jspecify.annotations.NullMarked;
