/**
 * Writes traces in Perfetto's wire format as a stream: {@link dev.unjank.trace.write.TraceWriter} is the way in, one {@link
 * dev.unjank.trace.write.FtraceCpuWriter} per CPU takes the kernel's events, {@link dev.unjank.trace.write.FrameTimelineWriter} the display's.
 * {@link dev.unjank.trace.write.AtraceMarks} spells the marks that Android's tracing puts into the kernel's print events.
 *
 * <p>Times are nanoseconds of the boot clock, as Perfetto's own traces have them, unless a method says otherwise. Nothing here
 * is safe for use by several threads at once.
 */
@NullMarked
package dev.unjank.trace.write;

import org.jspecify.annotations.NullMarked;
