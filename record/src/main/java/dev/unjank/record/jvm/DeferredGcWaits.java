package dev.unjank.record.jvm;

import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * GC waits that begin in one chunk and end with a collection in a later one. They are held until that chunk is read.
 * Not thread-safe.
 */
final class DeferredGcWaits {
    private static final String COLLECTION = "GC";

    private final List<Held> held = new ArrayList<>();

    private record Held(int tid, long begin, String category, String name) {}

    /** Adds a wait without an end. */
    void hold(int tid, long begin, String category, String name) {
        held.add(new Held(tid, begin, category, name));
    }

    /** Writes the waits that end with the first collection of a chunk. */
    void settle(Trace chunk, JfrClockConverter clock, int pid, TraceSink sink) {
        Slices slices = chunk.slices();
        for (int row = slices.firstAsync(); row < slices.size() && !held.isEmpty(); row++) {
            if (slices.name(row).startsWith(COLLECTION)) {
                long end = clock.nanos(slices.ts(row));
                held.removeIf(wait -> {
                    boolean over = wait.begin <= end;
                    if (over) {
                        sink.slice(wait.begin, end, pid, wait.tid, wait.category, wait.name);
                    }
                    return over;
                });
            }
        }
    }

    /** Writes the remaining waits, without an end. */
    void writeOpen(int pid, TraceSink sink) {
        for (Held wait : held) {
            sink.write(to -> to.events()
                    .begin(wait.begin, to.track(wait.begin, pid, wait.tid), wait.category, wait.name)
                    .write());
        }
        held.clear();
    }
}
