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
 * Neighbouring bundles of kernel events of a mapped file, to be read by one thread into a builder of their own. One thread fills it,
 * and whoever reads it gets it when it is full.
 */
final class BundleRange {
    private final MemorySegment file;
    private final ClockConverter clocks;
    private final ClockConverter.Clock bootClock;
    private final TraceBuilder builder;
    private final FtraceImporter ftrace;
    private final List<Bundle> bundles = new ArrayList<>();
    private long bytes;
    private boolean isOnTraceClock;

    /** Whether a bundle is of a clock of which nobody knew when this was read. */
    private boolean otherClock;

    /**
     * Where a bundle lies, and what it depends on.
     *
     * @param clock the clock of its times; null for the boot clock, as long as that is a supposition
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

        /** Its bytes, in the array given if they fit. */
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

    List<Bundle> bundles() {
        return bundles;
    }

    /** How many bytes its bundles have. */
    long bytes() {
        return bytes;
    }

    /** Supposes that the boot clock is the trace's, so that nothing that is told of clocks meanwhile matters. */
    void assumeTraceClock() {
        isOnTraceClock = true;
    }

    boolean assumesTraceClock() {
        return isOnTraceClock;
    }

    /** Whether what it supposed of the clocks of its bundles has proved wrong. */
    boolean isOfOtherClock() {
        return otherClock;
    }

    /** Reads the bundles, through the array given or a larger one, which is returned. */
    byte[] read(byte[] through) {
        byte[] copy = through;
        ClockConverter.Converter boot =
                isOnTraceClock ? ClockConverter.Converter.IDENTITY : clocks.converter(bootClock);
        for (Bundle bundle : bundles) {
            copy = bundle.copy(file, copy);
            if (bundle.isAfterDrop) {
                ftrace.losses().packetDropped();
            }
            BundleHeader head = ftrace.readHead(copy, 0, bundle.length);
            ClockConverter.Clock known = bundle.clock;
            if (known == null && !head.isOfBootClock()) {
                otherClock = true;
                break;
            } else if (known == null) {
                ftrace.readEvents(boot, bundle.symbols, bundle.symbolsKnown);
            } else {
                ftrace.readEvents(known, bundle.symbols, bundle.symbolsKnown);
            }
        }
        return copy;
    }

    /** Puts what was read behind what a builder has, and what was counted to an importer's counts. */
    void appendTo(TraceBuilder whole, FtraceImporter counts) {
        whole.append(builder);
        counts.addCounts(ftrace);
    }
}
