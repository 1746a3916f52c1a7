package dev.unjank.cli.demo.load;

/**
 * The result of one measurement.
 *
 * @param missedByControl deadlines missed by a thread that ticked without a queue
 * @param blockedShare the share of the time, 0 to 1, in which the UI thread was blocked on a lock
 * @param postMedian the median duration of a post in ns
 * @param postP999 its 99.9th percentile
 */
public record LoopUnderLoadResult(
        TickCounter.Ticks ticks,
        int missedByControl,
        double blockedShare,
        long posts,
        long postMedian,
        long postP999,
        boolean niced) {

    /** The effect of the scheduler alone: the missed share of the control's deadlines, 0 to 1. */
    public double controlMissedShare() {
        return ticks.due() == 0 ? 0 : (double) missedByControl / ticks.due();
    }
}
