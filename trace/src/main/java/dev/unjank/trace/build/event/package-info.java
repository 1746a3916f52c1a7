/**
 * Storage of events until the trace is built: the kinds and bit layouts of records, one log per CPU outside the heap,
 * and the merge of all logs in time order.
 */
@NullMarked
package dev.unjank.trace.build.event;

import org.jspecify.annotations.NullMarked;
