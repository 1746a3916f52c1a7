/**
 * A recording of another process: several sources write into one trace file on one clock.
 *
 * <p>{@link dev.unjank.record.session.Recording} is the entry point. A {@link
 * dev.unjank.record.session.RecordingSource} writes events to the {@link dev.unjank.record.session.TraceSink}. Its
 * implementation, {@link dev.unjank.record.session.RecordingFile}, cuts the stream into {@link
 * dev.unjank.record.session.TraceSegment}s, each a trace by itself, so that old ones can be dropped. Times are those of
 * {@link System#nanoTime} everywhere.
 */
@NullMarked
package dev.unjank.record.session;

import org.jspecify.annotations.NullMarked;
