package dev.unjank.record.jvm;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The waits for locks that were going on when the recording ended, and were over before Flight Recorder was: since it tells of them, nobody else has
 * to. A thread has one at most. Any thread.
 */
final class WaitsAtRecordingEnd {
    private final Set<Integer> tids = ConcurrentHashMap.newKeySet();

    /**
     * Takes those of a chunk.
     *
     * @param clock brings times of the chunk onto that of {@code end}
     * @param end when the recording ended
     */
    void add(Trace chunk, JfrClockConverter clock, long end) {
        Slices slices = chunk.slices();
        for (int utid = 0; utid < chunk.threads().size(); utid++) {
            for (int row = slices.first(utid); row < slices.end(utid); row++) {
                if (LockSliceNames.kind(slices.name(row)) >= 0
                        && !slices.isOpen(row)
                        && clock.nanos(slices.ts(row)) <= end
                        && clock.nanos(slices.endNs(row)) > end) {
                    tids.add(chunk.threads().tid(utid));
                }
            }
        }
    }

    /** Whether one of them is a thread's. */
    boolean isOf(int tid) {
        return tids.contains(tid);
    }
}
