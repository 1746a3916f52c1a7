package dev.unjank.doctor.find.wait;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A wait of a thread, without its owner.
 *
 * @param source the source that found it
 * @param utid the thread
 * @param row its row in a table of the source, mostly a slice
 * @param startNs start on the trace's clock, ns
 * @param endNs end of the wait or of its recording, ns
 * @param open whether its recording ended before the wait
 */
public record BlockedInterval(WaitSource source, int utid, int row, long startNs, long endNs, boolean open) {
    /** The wait of a slice. */
    public static BlockedInterval ofSlice(WaitSource source, Slices slices, int row) {
        return new BlockedInterval(
                source, slices.utid(row), row, slices.ts(row), slices.endNs(row), slices.isOpen(row));
    }

    /** Finds the waits of a thread that are slices of matching names. */
    public static void findSlices(
            WaitSource source, Slices slices, SliceNameFilter filter, int utid, Consumer<BlockedInterval> found) {
        filter.forEachOf(utid, row -> {
            if (slices.dur(row) > 0) {
                found.accept(ofSlice(source, slices, row));
            }
        });
    }

    public long durNs() {
        return endNs - startNs;
    }

    // Written out since the JVM generates a record's own methods at their first use, which takes milliseconds.

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

    /** This wait; an open one until the last event that proves its duration. */
    BlockedInterval endingBy(TraceCoverage coverage) {
        if (!open) {
            return this;
        }
        long threadEndNs = coverage.threadEndNs(utid);
        long end = Math.min(endNs, Math.min(threadEndNs, coverage.lastSliceNs()));
        return new BlockedInterval(source, utid, row, startNs, end, end < threadEndNs);
    }

    /** The part of this wait until a time. */
    BlockedInterval until(long ts) {
        return ts == endNs ? this : new BlockedInterval(source, utid, row, startNs, ts, open);
    }

    /** The rest of this wait from a time on. */
    BlockedInterval from(long ts) {
        return new BlockedInterval(source, utid, row, ts, endNs, open);
    }
}
