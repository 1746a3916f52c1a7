package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers over time, of threads and of the whole machine. */
final class CounterSamples {
    private record Counter(int thread, String name, String unit) {}

    private final Map<Counter, LongRows> counters = new LinkedHashMap<>();

    /**
     * Adds a value.
     *
     * @param ns from when on it has the value
     */
    void add(int thread, String name, String unit, long ns, long value) {
        counters.computeIfAbsent(new Counter(thread, name, unit), _ -> new LongRows(2))
                .add(ns, value);
    }

    /** Tells a builder of all values. */
    void emitTo(TraceBuilder builder, JfrThreads threads, int pid) {
        counters.forEach((counter, values) -> {
            int tid = counter.thread == JfrThreads.NONE ? -1 : threads.tid(counter.thread);
            int track = builder.newCounterTrack(tid, pid, builder.intern(counter.name), builder.intern(counter.unit));
            for (int row = 0; row < values.size(); row++) {
                builder.trackCounter(values.get(row, 0), track, values.get(row, 1));
            }
        });
    }
}
