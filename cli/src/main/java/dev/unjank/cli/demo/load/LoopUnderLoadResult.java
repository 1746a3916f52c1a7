package dev.unjank.cli.demo.load;

/**
 * What one phase showed.
 *
 * @param ticks what came of the ticks
 * @param missedByControl deadlines that a thread missed which ticked beside the loop, without a queue
 * @param blockedShare the part of the time, 0 to 1, that the UI thread waited for a lock
 * @param posts messages posted by the posters
 * @param postMedian the median duration of a post, in nanoseconds
 * @param postP999 its 99.9th percentile
 * @param niced whether the posters ran at the lowest priority
 */
public record LoopUnderLoadResult(
        TickLedger.Ticks ticks,
        int missedByControl,
        double blockedShare,
        long posts,
        long postMedian,
        long postP999,
        boolean niced) {

    /**
     * What the scheduler alone cost.
     *
     * @return the missed part of the control's deadlines, 0 to 1
     */
    public double controlMissedShare() {
        return ticks.due() == 0 ? 0 : (double) missedByControl / ticks.due();
    }
}
