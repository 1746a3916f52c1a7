package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.concurrent.TaskQueue;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.common.Parallelism;
import dev.unjank.trace.read.perfetto.ftrace.BundleRange.Bundle;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Imports the bundles of kernel events of a mapped file, nearly all of a trace, on several threads while the rest is
 * read in order. The file is divided into ranges; each thread takes the next free range and reads it into its own
 * builder. The builders are joined in the file's order, so the result does not depend on the number of threads.
 *
 * <p>Headers of bundles are left to the threads as well, assuming that all bundles have the boot clock if the first
 * has. If that is also the trace's clock, bundles do not depend on anything later in the file, and threads read them
 * while others are still being found. If an assumption proves wrong, the range is read again at the end.
 */
public final class ParallelBundleImport implements AutoCloseable {
    private final MemorySegment file;
    private final TraceBuilder builder;
    private final ClockConverter clocks;
    private final BundleClocks bundleClocks;
    private final BundleHeader head = new BundleHeader();
    private final long bytesPerRange;
    private final TaskQueue tasks;

    /** In the file's order; the last one may have room. */
    private List<BundleRange> ranges = new ArrayList<>();

    private boolean hasRoom;
    private byte[] buffer = {};

    /** Whether all bundles so far have the boot clock, as far as their headers have been parsed. */
    private boolean assumesBootClock;

    public ParallelBundleImport(
            MemorySegment file, Parallelism parallelism, TraceBuilder builder, ClockConverter clocks) {
        this.file = file;
        this.builder = builder;
        this.clocks = clocks;
        bundleClocks = new BundleClocks(clocks);
        tasks = new TaskQueue(parallelism.executor(), parallelism.threads(), Integer.MAX_VALUE);
        bytesPerRange = parallelism.bytesPerRange(file.byteSize());
    }

    public void add(long offset, int length, int sequenceId, KernelSymbols symbols, boolean isAfterDrop) {
        Bundle bundle = new Bundle(offset, length, sequenceId, symbols, symbols.size(), isAfterDrop, null);
        if (!assumesBootClock) {
            Bundle known = withClock(bundle);
            assumesBootClock = ranges.isEmpty() && head.usesBootClock();
            bundle = assumesBootClock ? bundle : known;
        }
        if (!hasRoom) {
            ranges.add(new BundleRange(file, clocks, bundleClocks.bootClock(), builder.newPart()));
        }
        BundleRange range = ranges.getLast();
        range.add(bundle);
        hasRoom = range.bytes < bytesPerRange;
        if (!hasRoom && assumesBootClock && clocks.isTraceClock(bundleClocks.bootClock())) {
            range.assumeTraceClock();
            tasks.add(range::read);
        }
    }

    private Bundle withClock(Bundle bundle) {
        buffer = bundle.copy(file, buffer);
        head.read(buffer, 0, bundle.length());
        return bundle.of(bundleClocks.clock(head, bundle.sequenceId()));
    }

    /** Reads all remaining bundles, and adds the counts to an importer. */
    public void readAll(FtraceImporter counts) {
        finish();
        if (ranges.stream().anyMatch(this::assumedWrongClock)) {
            ranges = ranges.stream().map(this::retried).toList();
            finish();
        }
        ranges.forEach(range -> range.appendTo(builder, counts));
    }

    /** Reads the remaining ranges, with all clocks known. */
    private void finish() {
        // A clock's route to the trace's is searched on first use; from now on clocks are shared and must not change.
        clocks.converter(bundleClocks.bootClock());
        for (BundleRange range : ranges) {
            for (Bundle bundle : range.bundles) {
                if (bundle.clock() != null) {
                    clocks.converter(bundle.clock());
                }
            }
        }
        List<BundleRange> remaining =
                ranges.stream().filter(range -> !range.isOnTraceClock).toList();
        remaining.stream().skip(1).forEach(range -> tasks.add(range::read));
        if (!remaining.isEmpty()) {
            remaining.getFirst().read(); // a small trace has no other, and needs no other thread
        }
        tasks.await();
    }

    private boolean assumedWrongClock(BundleRange range) {
        return range.otherClock || (range.isOnTraceClock && !clocks.isTraceClock(bundleClocks.bootClock()));
    }

    private BundleRange retried(BundleRange mistaken) {
        BundleRange again = new BundleRange(file, clocks, bundleClocks.bootClock(), builder.newPart());
        mistaken.bundles.forEach(bundle -> again.add(withClock(bundle)));
        return again;
    }

    /** Waits for all tasks even after a failure: the file must stay mapped until then. */
    @Override
    public void close() {
        tasks.stop();
    }
}
