package dev.unjank.trace.read.common;

import dev.unjank.trace.model.TraceNote;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Counts records that could not be read, and makes the counts warnings. Not thread-safe. */
public final class UnreadableRecords {
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

    /** The kinds of records, in the order of the warnings. */
    public enum Kind {
        PACKED,
        ARCHIVED,
        COMPRESSED_PACKET,
        PACKET,
        ORPHAN,
        PACKET_OF_CLOCK,
        BUNDLE,
        KERNEL_EVENT,
        KERNEL_EVENT_OF_CLOCK,
        COMPACT_SCHED,
        KERNEL_VERSION,
        FLOW,
        SAMPLES,
        STACK,
        LINE,
        CLOCK_MARK,
        FIXED_CHUNK,
        BARE_CHUNK,
        CHECKPOINT,
        RECORDED_EVENT
    }

    public void count(Kind what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** Adds the counts of another. */
    public void add(UnreadableRecords others) {
        others.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }

    /** Passes a warning for each kind: {@code skipped: 2 damaged packets}. */
    public void forEachWarning(Consumer<TraceNote> warning) {
        counts.forEach((what, count) -> warning.accept(TraceNote.counted("skipped." + what, count)));
    }
}
