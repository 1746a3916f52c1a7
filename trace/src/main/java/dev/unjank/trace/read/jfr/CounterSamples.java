package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects counter values of threads and of the whole JVM. */
final class CounterSamples {
    private record Counter(int thread, String name, String unit) {}

    private final Map<Counter, LongRows> counters = new LinkedHashMap<>();

    /** Adds a value, which is valid from a time on. */
    void add(int thread, String name, String unit, long ns, long value) {
        counters.computeIfAbsent(new Counter(thread, name, unit), _ -> new LongRows(2))
                .add(ns, value);
    }

    /** Adds all values to a builder. */
    void emitTo(TraceBuilder builder, JfrThreads threads, int pid) {
        counters.forEach((counter, values) -> {
            int tid = counter.thread == JfrThreads.NONE ? -1 : threads.tid(counter.thread);
            int track = builder.tracks()
                    .newCounterTrack(tid, pid, builder.intern(counter.name), builder.intern(counter.unit));
            for (int row = 0; row < values.size(); row++) {
                builder.tracks().trackCounter(values.get(row, 0), track, values.get(row, 1));
            }
        });
    }
}
