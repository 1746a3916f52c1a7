package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import java.util.ArrayList;
import java.util.List;

/**
 * Counters of processes in events that have only a thread. The process may become known later, so their tracks are found at the
 * end; threads without a process have tracks of their own.
 */
final class ProcessCounters {
    private record Pending(int row, int utid, String type, String key) {}

    private final ProcessorContext context;
    private final List<Pending> pending = new ArrayList<>();

    ProcessCounters(ProcessorContext context) {
        this.context = context;
    }

    /** Adds a value; {@code key} is empty for a type with one counter. */
    void add(long ts, double value, int utid, String type, String key) {
        int row = context.counters.add(context.counters.rows(), ts, NULL, Double.doubleToRawLongBits(value), NULL);
        pending.add(new Pending(row, utid, type, key));
    }

    /** The counter of a process. */
    static int track(ProcessorContext context, int upid, String type, String key) {
        return track(context, context.args().integer("upid", upid), type, type, key);
    }

    private static int track(ProcessorContext context, ArgList dimensions, String type, String kind, String key) {
        boolean keyed = !key.isEmpty();
        String name = kind.equals("process_memory") ? "mem." + key : kind;
        return context.tracks.intern(
                type,
                keyed ? dimensions.string(kind + "_key", key) : dimensions,
                TrackRows.Details.counter(context.intern(name)));
    }

    void finish() {
        for (Pending counter : pending) {
            int upid = context.processes.processOf(counter.utid);
            int track = upid >= 0
                    ? track(context, upid, counter.type, counter.key)
                    : track(
                            context,
                            context.args().integer("utid", counter.utid),
                            counter.type + "_thread_fallback",
                            counter.type,
                            counter.key);
            context.counters.set(counter.row, 2, track);
        }
    }
}
