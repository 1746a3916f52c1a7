package dev.unjank.trace.read.common;

import dev.unjank.trace.text.EnglishCounts;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Counts records that could not be read, and formats the counts as warnings. Not thread-safe. */
public final class UnreadableRecords {
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

    /** The kinds of records, in the order of the warnings. */
    public enum Kind {
        PACKED("damaged or truncated part of compressed data", "damaged or truncated parts of compressed data"),
        ARCHIVED("damaged or truncated part of a zip archive", "damaged or truncated parts of a zip archive"),
        COMPRESSED_PACKET("damaged compressed packet", "damaged compressed packets"),
        PACKET("damaged packet", "damaged packets"),
        ORPHAN("packet that depends on a lost one", "packets that depend on lost ones"),
        PACKET_OF_CLOCK("packet with an unknown clock", "packets with unknown clocks"),
        BUNDLE("damaged bundle of kernel events", "damaged bundles of kernel events"),
        KERNEL_EVENT("damaged kernel event", "damaged kernel events"),
        KERNEL_EVENT_OF_CLOCK("kernel event with an unknown clock", "kernel events with unknown clocks"),
        COMPACT_SCHED("damaged bundle of compact scheduler data", "damaged bundles of compact scheduler data"),
        KERNEL_VERSION("unreadable kernel version", "unreadable kernel versions"),
        FLOW("flow of an event with too many flows", "flows of events with too many flows"),
        SAMPLES("gap in the profiler's samples", "gaps in the profiler's samples"),
        STACK("sample with an unreadable stack", "samples with unreadable stacks"),
        LINE("line that is not an event", "lines that are not events"),
        CLOCK_MARK("unreadable clock mark", "unreadable clock marks"),
        FIXED_CHUNK("chunk with fixed-length integers", "chunks with fixed-length integers"),
        BARE_CHUNK("chunk without metadata", "chunks without metadata"),
        CHECKPOINT("damaged checkpoint", "damaged checkpoints"),
        RECORDED_EVENT("damaged event", "damaged events");

        private final String one;
        private final String many;

        Kind(String one, String many) {
            this.one = one;
            this.many = many;
        }

        private String counted(long count) {
            return EnglishCounts.of(count, one, many);
        }
    }

    public void count(Kind what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** Adds the counts of another. */
    public void add(UnreadableRecords others) {
        others.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }

    /** Formats a warning for each kind: {@code skipped: 2 damaged packets}. */
    public void forEachWarning(Consumer<String> warning) {
        counts.forEach((what, count) -> warning.accept("skipped: " + what.counted(count)));
    }
}
