package dev.unjank.doctor.find.coverage;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;

/**
 * Until when a trace knows what it tells. In its tables whatever was not over lasts until the trace's end, which is the last event
 * of any source. But a source may have ended before, and nobody knows what it would have told: a state lasts until the scheduler's
 * last event, and a slice that has no end until the last event of the scheduler or of any slice. Any thread may ask.
 */
public final class TraceCoverage {
    private static final int ROWS_AT_ONCE = 1 << 10;

    private final ThreadStates states;
    private final Slices slices;
    private final Threads threads;
    private final long schedulerNs;
    private long slicesNs = Long.MIN_VALUE;

    public TraceCoverage(Trace trace) {
        states = trace.threadStates();
        slices = trace.slices();
        threads = trace.threads();
        schedulerNs = states.recordedUntilNs();
    }

    /** {@return until when a state is known to have lasted} */
    public long endNs(int row) {
        return Math.min(states.endNs(row), schedulerNs);
    }

    /** {@return whether a state was not over at the scheduler's last event} */
    public boolean isUnfinished(int row) {
        return states.isOpen(row) && states.endNs(row) >= schedulerNs;
    }

    /** {@return until when a slice is known to have lasted} */
    public long sliceEndNs(int row) {
        return slices.isOpen(row)
                ? Math.min(slices.endNs(row), Math.min(threads.endNs(slices.utid(row)), lastSliceNs()))
                : slices.endNs(row);
    }

    /** {@return when a thread ended, {@link Long#MAX_VALUE} if that is not known} */
    public long threadEndNs(int utid) {
        return threads.endNs(utid);
    }

    /** {@return the last event of the scheduler or of any slice} */
    public synchronized long lastSliceNs() {
        if (slicesNs == Long.MIN_VALUE) {
            long last = schedulerNs;
            long[] times = new long[ROWS_AT_ONCE];
            long[] durations = new long[ROWS_AT_ONCE];
            for (int first = 0; first < slices.size(); first += ROWS_AT_ONCE) {
                int rows = slices.columns().ts().read(first, times);
                slices.columns().dur().read(first, durations);
                for (int i = 0; i < rows; i++) {
                    last = Math.max(last, times[i] + Math.max(0, durations[i])); // less than 0 for one without an end
                }
            }
            slicesNs = last;
        }
        return slicesNs;
    }
}
