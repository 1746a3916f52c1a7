/**
 * Builds a {@code Trace} from events: importers and tests hand events to a {@code TraceBuilder}, which stores them,
 * sorts them by time and passes each to its trackers.
 */
@NullMarked
package dev.unjank.trace.build;

import org.jspecify.annotations.NullMarked;
