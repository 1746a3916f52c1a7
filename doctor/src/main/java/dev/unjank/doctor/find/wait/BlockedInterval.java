package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import org.jspecify.annotations.Nullable;

/**
 * A time in which a thread waited, as one {@link WaitSource} found it, before anybody has asked whose fault it was.
 *
 * @param source who found it and knows more
 * @param utid the thread
 * @param row the row that tells of it, in a table that the source knows: mostly a slice
 * @param startNs when it began
 * @param endNs when it ended, or what tells of it did
 * @param open whether what tells of it ended before it did
 */
public record BlockedInterval(WaitSource source, int utid, int row, long startNs, long endNs, boolean open) {
    public long durNs() {
        return endNs - startNs;
    }

    // These are written out since the JVM makes the code of a record's own at its first use, which takes milliseconds.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BlockedInterval interval
                && source.equals(interval.source)
                && utid == interval.utid
                && row == interval.row
                && startNs == interval.startNs
                && endNs == interval.endNs
                && open == interval.open;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * row + utid) + Long.hashCode(startNs);
    }

    /** The same wait; if it is open, until the last event that can show it lasted. */
    BlockedInterval endingBy(TraceCoverage coverage) {
        if (!open) {
            return this;
        }
        long threadEndNs = coverage.threadEndNs(utid);
        long end = Math.min(endNs, Math.min(threadEndNs, coverage.lastSliceNs()));
        return new BlockedInterval(source, utid, row, startNs, end, end < threadEndNs);
    }

    /** The rest of it from a moment on. */
    BlockedInterval from(long ts) {
        return new BlockedInterval(source, utid, row, ts, endNs, open);
    }
}
