package dev.unjank.doctor.find.coverage;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;

/**
 * The end of each source's recording. In the tables an open state or slice lasts until the trace's end, the last event
 * of any source. A source may end earlier than the trace. So an open state is taken to end at the scheduler's last
 * event, and an open slice at the last event of the scheduler or of any slice. Thread-safe.
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

    /** {@return the known end of a state, ns} */
    public long endNs(int row) {
        return Math.min(states.endNs(row), schedulerNs);
    }

    /** {@return whether a state was open at the scheduler's last event} */
    public boolean isUnfinished(int row) {
        return states.isOpen(row) && states.endNs(row) >= schedulerNs;
    }

    /** {@return the known end of a slice, ns} */
    public long sliceEndNs(int row) {
        return slices.isOpen(row)
                ? Math.min(slices.endNs(row), Math.min(threads.endNs(slices.utid(row)), lastSliceNs()))
                : slices.endNs(row);
    }

    /** {@return the end of a thread, ns; {@link Long#MAX_VALUE} if unknown} */
    public long threadEndNs(int utid) {
        return threads.endNs(utid);
    }

    /** {@return the last event of the scheduler or of any slice, ns} */
    public synchronized long lastSliceNs() {
        if (slicesNs == Long.MIN_VALUE) {
            long last = schedulerNs;
            long[] times = new long[ROWS_AT_ONCE];
            long[] durations = new long[ROWS_AT_ONCE];
            for (int first = 0; first < slices.size(); first += ROWS_AT_ONCE) {
                int rows = slices.columns().ts().read(first, times);
                slices.columns().dur().read(first, durations);
                for (int i = 0; i < rows; i++) {
                    last = Math.max(last, times[i] + Math.max(0, durations[i])); // negative if open
                }
            }
            slicesNs = last;
        }
        return slicesNs;
    }
}
