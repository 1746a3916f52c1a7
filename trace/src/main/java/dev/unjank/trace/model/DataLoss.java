package dev.unjank.trace.model;

/**
 * A period in which events were lost before they were written, so the trace is incomplete there.
 *
 * @param cpu the CPU that lost events, {@value #ANY_CPU} if unknown
 * @param startNs the last event before the gap, on the trace's clock
 * @param endNs the first event after it
 */
public record DataLoss(int cpu, long startNs, long endNs) {
    /** The CPU of events that were not lost in the buffer of a CPU, but on the way from there or from a program. */
    public static final int ANY_CPU = -1;
}
