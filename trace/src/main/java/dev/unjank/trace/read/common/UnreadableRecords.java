package dev.unjank.trace.read.common;

import dev.unjank.trace.text.EnglishCounts;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Counts what an importer had to leave out although it should have been read, and tells it in words. Not thread-safe. */
public final class UnreadableRecords {
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

    /** Nothing is left out yet. */
    public UnreadableRecords() {}

    /** Kind can be left out; what is told first comes first. */
    public enum Kind {
        /** Compressed data that are damaged, or of which the end is missing. */
        PACKED("damaged or cut stretch of compressed data", "damaged or cut stretches of compressed data"),
        /** A file in an archive that is damaged, or of which the end is missing. */
        ARCHIVED("damaged or cut part of a zip archive", "damaged or cut parts of a zip archive"),
        /** A packet that holds others, compressed. */
        COMPRESSED_PACKET("damaged compressed packet", "damaged compressed packets"),
        /** A packet. */
        PACKET("damaged packet", "damaged packets"),
        /** A packet that refers to what a lost one said. */
        ORPHAN("packet that builds on a lost one", "packets that build on lost ones"),
        /** A packet with a time that cannot be told in the trace's own. */
        PACKET_OF_CLOCK(
                "packet of a clock that nothing ties to the trace's",
                "packets of clocks that nothing ties to the trace's"),
        /** The events of a CPU that were read together. */
        BUNDLE("damaged bundle of kernel events", "damaged bundles of kernel events"),
        /** An event of the kernel. */
        KERNEL_EVENT("damaged kernel event", "damaged kernel events"),
        /** An event of the kernel with a time that cannot be told in the trace's own. */
        KERNEL_EVENT_OF_CLOCK(
                "kernel event of a clock that nothing ties to the trace's",
                "kernel events of clocks that nothing ties to the trace's"),
        /** Switches and wake-ups in columns. */
        COMPACT_SCHED("damaged bundle of compact scheduler data", "damaged bundles of compact scheduler data"),
        /** A kernel's release that tells no version. */
        KERNEL_VERSION("unreadable kernel version", "unreadable kernel versions"),
        /** A flow of an event that has more than anybody draws. */
        FLOW("flow of an event that has too many", "flows of events that have too many"),
        /** Samples that a profiler lost. */
        SAMPLES("gap in the profiler's samples", "gaps in the profiler's samples"),
        /** A sample without a stack. */
        STACK("sample whose stack the profiler could not read", "samples whose stacks the profiler could not read"),
        /** A line of a text. */
        LINE("line that is no event", "lines that are no events"),
        /** A mark that ties clocks, in a text. */
        CLOCK_MARK("unreadable mark of a clock", "unreadable marks of clocks"),
        /** A chunk of a recording, as early versions of the format wrote them. */
        FIXED_CHUNK("chunk whose numbers have a fixed length", "chunks whose numbers have a fixed length"),
        /** A chunk of a recording without its description. */
        BARE_CHUNK("chunk that does not say what its events are", "chunks that do not say what their events are"),
        /** What the numbers in a recording's events stand for. */
        CHECKPOINT("damaged checkpoint", "damaged checkpoints"),
        /** An event of a recording. */
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

    /** Counts one. */
    public void count(Kind what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** Adds what another has counted. */
    public void add(UnreadableRecords others) {
        others.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }

    /** Tells what was left out: {@code left out: 2 damaged packets}. */
    public void forEachWarning(Consumer<String> warning) {
        counts.forEach((what, count) -> warning.accept("left out: " + what.counted(count)));
    }
}
