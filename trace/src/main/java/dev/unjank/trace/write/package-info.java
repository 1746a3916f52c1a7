/**
 * Writes traces in Perfetto's format as a stream: {@link dev.unjank.trace.write.TraceWriter} is the entry, one {@link
 * dev.unjank.trace.write.FtraceCpuWriter} per CPU writes kernel events, {@link
 * dev.unjank.trace.write.FrameTimelineWriter} the frame timeline. {@link dev.unjank.trace.write.AtraceMarks} formats
 * the marks that Android's tracing writes into the kernel's print events.
 *
 * <p>Times are nanoseconds of the boot clock, as in Perfetto's own traces, unless a method states otherwise. Nothing
 * here is thread-safe.
 */
@NullMarked
package dev.unjank.trace.write;

import org.jspecify.annotations.NullMarked;
