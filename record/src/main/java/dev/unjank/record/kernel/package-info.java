/**
 * Records the Linux kernel's scheduling events through tracefs: context switches with priorities, wake-ups, threads.
 * {@link dev.unjank.record.kernel.KernelSource} is the entry point.
 *
 * <p>{@code TraceFs} finds or mounts the file system, {@code TraceInstance} is the recorder's own set of buffers in it,
 * {@code RingBufferPage} iterates over the buffers' pages, {@code EventFormat} has the layout of an event, {@code
 * KernelEventDecoder} converts events to those of the trace.
 */
@NullMarked
package dev.unjank.record.kernel;

import org.jspecify.annotations.NullMarked;
