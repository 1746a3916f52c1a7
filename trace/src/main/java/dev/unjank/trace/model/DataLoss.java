package dev.unjank.trace.model;

/**
 * A stretch of time of which a trace does not tell all that happened, since events were lost before they were written.
 *
 * @param cpu the CPU whose events were lost, {@value #ANY_CPU} if it may have been any
 * @param startNs the last event before the gap, on the trace's clock
 * @param endNs the first event after it
 */
public record DataLoss(int cpu, long startNs, long endNs) {
    /** Stands for the CPU of events that were not lost in a CPU's buffer, but on the way from there or from a program. */
    public static final int ANY_CPU = -1;
}
