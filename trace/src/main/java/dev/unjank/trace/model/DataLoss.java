package dev.unjank.trace.model;

/**
 * A period in which events were lost before they were written, so the trace is incomplete there.
 *
 * @param cpu the CPU that lost events, {@value #ANY_CPU} if unknown
 * @param startNs the last event before the gap, on the trace's clock
 * @param endNs the first event after it
 * @param isRecorded whether the trace records the loss; otherwise events before and after it contradict each other, and
 *     as little as one event may be missing
 */
public record DataLoss(int cpu, long startNs, long endNs, boolean isRecorded) {
    /** The CPU of events that were not lost in the buffer of a CPU, but on the way from there or from a program. */
    public static final int ANY_CPU = -1;

    /**
     * {@return a loss that the trace records}
     *
     * @param cpu the CPU that lost events, {@value #ANY_CPU} if unknown
     * @param startNs the last event before the gap
     * @param endNs the first event after it
     */
    public static DataLoss recorded(int cpu, long startNs, long endNs) {
        return new DataLoss(cpu, startNs, endNs, true);
    }

    /**
     * {@return a loss that contradicting events show}
     *
     * @param cpu the CPU that lost events, {@value #ANY_CPU} if unknown
     * @param startNs the last event before the gap
     * @param endNs the first event after it
     */
    public static DataLoss found(int cpu, long startNs, long endNs) {
        return new DataLoss(cpu, startNs, endNs, false);
    }
}
