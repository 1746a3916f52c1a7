/**
 * What the Linux kernel does with threads, recorded through tracefs: who ran when and at which priority, who woke whom, which
 * threads there are. {@link dev.unjank.record.kernel.KernelSource} is the way in.
 *
 * <p>{@code TraceFs} finds or mounts the file system, {@code TraceInstance} is a buffer in it that is nobody else's, {@code RingBufferPage}
 * takes the buffer's pages apart, {@code EventFormat} says where an event's fields are, {@code KernelEvents} turns events into those
 * of the trace.
 */
@NullMarked
package dev.unjank.record.kernel;

import org.jspecify.annotations.NullMarked;
