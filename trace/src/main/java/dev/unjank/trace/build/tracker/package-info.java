/**
 * One tracker per table: each takes the events of its kind in time order and produces the rows of a table of the model,
 * such as thread states from sched_switch and slices from begin and end.
 */
@NullMarked
package dev.unjank.trace.build.tracker;

import org.jspecify.annotations.NullMarked;
