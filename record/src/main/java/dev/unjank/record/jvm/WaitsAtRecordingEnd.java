package dev.unjank.record.jvm;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads whose lock wait lasted beyond the end of the recording and is reported by Flight Recorder, so that {@link
 * LockOwnerSource} does not write it again. Thread-safe.
 */
final class WaitsAtRecordingEnd {
    private final Set<Integer> tids = ConcurrentHashMap.newKeySet();

    /** Adds the waits of a chunk; {@code clock} converts its times to that of {@code end}. */
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

    /** Whether a thread has such a wait. */
    boolean isOf(int tid) {
        return tids.contains(tid);
    }
}
