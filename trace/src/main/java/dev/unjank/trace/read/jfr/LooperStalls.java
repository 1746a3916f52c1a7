package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects looper stalls that a watchdog reported: each once while it lasts, and once more at its end. The second
 * report contains its full duration; a stall without it lasts as long as the first report states.
 */
final class LooperStalls {
    private record Stalled(String looper, String kind) {}

    private record Stall(Stalled what, long startNs, long endNs) {}

    private final TraceBuilder builder;
    private final Map<Stalled, Stall> open = new LinkedHashMap<>();
    private final List<Stall> over = new ArrayList<>();

    LooperStalls(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Adds a report. */
    void add(String looper, String kind, long atNs, long lengthNs, boolean isOver) {
        Stalled what = new Stalled(looper, kind);
        Stall stall = new Stall(what, Math.max(0, atNs - Math.max(0, lengthNs)), atNs);
        if (isOver) {
            open.remove(what);
            over.add(stall);
        } else {
            open.put(what, stall);
        }
    }

    /**
     * Adds the slices. Stalls of a looper thread without other events are dropped, since the thread is unknown.
     */
    void emitTo(SliceBuffer slices, JfrThreads threads) {
        over.addAll(open.values());
        int category = builder.intern("mq");
        for (Stall stall : over) {
            int thread = threads.named(stall.what.looper);
            if (thread != JfrThreads.NONE) {
                slices.add(
                        thread,
                        stall.startNs,
                        stall.endNs,
                        builder.intern("stalled by a " + stall.what.kind),
                        category);
            }
        }
    }
}
