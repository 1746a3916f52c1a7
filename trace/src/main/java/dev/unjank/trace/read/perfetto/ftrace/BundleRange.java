package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.input.MappedBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adjacent bundles of kernel events of a mapped file, which one thread reads into its own builder. One thread fills
 * it and passes it to the reader when it is full.
 */
final class BundleRange {
    private static final int BUFFER = 1 << 16;

    private final MemorySegment file;
    private final ClockConverter clocks;
    private final ClockConverter.Clock bootClock;
    private final TraceBuilder builder;
    private final FtraceImporter ftrace;
    final List<Bundle> bundles = new ArrayList<>();
    /** The number of bytes of the bundles. */
    long bytes;

    boolean isOnTraceClock;

    /** Whether a bundle has a clock that was unknown when it was read. */
    boolean otherClock;

    /**
     * The position of a bundle, and its context.
     *
     * @param clock the clock of its times; null for the boot clock, while that is an assumption
     */
    record Bundle(
            long offset,
            int length,
            int sequenceId,
            KernelSymbols symbols,
            int symbolsKnown,
            boolean isAfterDrop,
            ClockConverter.@Nullable Clock clock) {
        Bundle of(ClockConverter.Clock known) {
            return new Bundle(offset, length, sequenceId, symbols, symbolsKnown, isAfterDrop, known);
        }

        /** Copies its bytes, into the given array if they fit. */
        byte[] copy(MemorySegment file, byte[] into) {
            byte[] copy = length <= into.length ? into : new byte[Math.max(length, into.length * 2)];
            MappedBytes.copy(file, offset, copy, 0, length);
            return copy;
        }
    }

    BundleRange(MemorySegment file, ClockConverter clocks, ClockConverter.Clock bootClock, TraceBuilder builder) {
        this.file = file;
        this.clocks = clocks;
        this.bootClock = bootClock;
        this.builder = builder;
        ftrace = new FtraceImporter(builder, clocks, new SkippedRecords());
    }

    void add(Bundle bundle) {
        bundles.add(bundle);
        bytes += bundle.length;
    }

    /** Assumes that the boot clock is the trace's, so that reading does not depend on later clock snapshots. */
    void assumeTraceClock() {
        isOnTraceClock = true;
    }

    void read() {
        byte[] copy = new byte[BUFFER];
        ClockConverter.Converter boot =
                isOnTraceClock ? ClockConverter.Converter.IDENTITY : clocks.converter(bootClock);
        for (Bundle bundle : bundles) {
            copy = bundle.copy(file, copy);
            if (bundle.isAfterDrop) {
                ftrace.losses().packetDropped();
            }
            BundleHeader head = ftrace.readHead(copy, 0, bundle.length);
            ClockConverter.Clock known = bundle.clock;
            if (known == null && !head.usesBootClock()) {
                otherClock = true;
                break;
            } else if (known == null) {
                ftrace.readEvents(boot, bundle.symbols, bundle.symbolsKnown);
            } else {
                ftrace.readEvents(known, bundle.symbols, bundle.symbolsKnown);
            }
        }
    }

    /** Appends the events to a builder, and the counts to those of an importer. */
    void appendTo(TraceBuilder whole, FtraceImporter counts) {
        whole.append(builder);
        counts.addCounts(ftrace);
    }
}
