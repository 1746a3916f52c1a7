package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.read.common.ClockConverter;
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
    /**
     * Thresholds for the use of threads.
     *
     * @param worthAThread the number of bytes of bundles from which a thread pays off
     */
    public record Sharing(long worthAThread, int threads) {
        /** Starting a thread and joining results costs about as much as reading a tenth of 1 MiB. */
        public static final Sharing DEFAULT =
                new Sharing(1 << 20, Math.min(Runtime.getRuntime().availableProcessors(), 4));

        /** The calling thread only. */
        public static final Sharing SINGLE_THREADED = new Sharing(Long.MAX_VALUE, 1);

        /** Enough ranges per thread that no thread waits long for the last. */
        private static final int RANGES_PER_THREAD = 8;

        /** Splitting takes an eighth of the time of reading. */
        private static final int PREFETCH_FACTOR = 8;

        /** Whether only the calling thread is used. */
        public boolean isSingleThreaded() {
            return threads == 1;
        }

        /** The number of bytes of bundles in a range of a file. */
        private long bytesPerRange(long fileBytes) {
            int most = threads == 1 ? 1 : threads * RANGES_PER_THREAD;
            return fileBytes / Math.max(1, Math.min(most, fileBytes / worthAThread));
        }

        /** Whether a file is large enough for a thread that splits it into packets. */
        public boolean prefetchesPackets(long fileBytes) {
            return threads > 1 && fileBytes >= PREFETCH_FACTOR * worthAThread;
        }
    }

    private final MemorySegment file;
    private final Sharing sharing;
    private final TraceBuilder builder;
    private final ClockConverter clocks;
    private final BundleClocks bundleClocks;
    private final BundleHeader head = new BundleHeader();
    private final long bytesPerStretch;
    private BundleReaderPool readers = new BundleReaderPool();

    /** In the file's order; the last one may have room. */
    private List<BundleRange> ranges = new ArrayList<>();

    private boolean hasRoom;
    private byte[] buffer = {};

    /** Whether all bundles so far have the boot clock, as far as their headers have been parsed. */
    private boolean assumesBootClock;

    public ParallelBundleImport(MemorySegment file, Sharing sharing, TraceBuilder builder, ClockConverter clocks) {
        this.file = file;
        this.sharing = sharing;
        this.builder = builder;
        this.clocks = clocks;
        bundleClocks = new BundleClocks(clocks);
        bytesPerStretch = sharing.bytesPerRange(file.byteSize());
    }

    /** Adds a bundle. */
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
        BundleRange stretch = ranges.getLast();
        stretch.add(bundle);
        hasRoom = stretch.bytes() < bytesPerStretch;
        if (!hasRoom && assumesBootClock && clocks.isTraceClock(bundleClocks.bootClock())) {
            stretch.assumeTraceClock();
            readers.put(stretch);
            readers.start(Math.min(ranges.size(), sharing.threads - 1));
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
            readers = new BundleReaderPool();
            finish();
        }
        ranges.forEach(stretch -> stretch.appendTo(builder, counts));
    }

    /** Reads the remaining ranges, with all clocks known. */
    private void finish() {
        // A clock's route to the trace's is searched on first use; from now on clocks are shared and must not change.
        clocks.converter(bundleClocks.bootClock());
        for (BundleRange stretch : ranges) {
            for (Bundle bundle : stretch.bundles()) {
                if (bundle.clock() != null) {
                    clocks.converter(bundle.clock());
                }
            }
            if (!stretch.assumesTraceClock()) {
                readers.put(stretch);
            }
        }
        readers.start(Math.min(ranges.size(), sharing.threads) - 1);
        readers.finish();
    }

    private boolean assumedWrongClock(BundleRange stretch) {
        return stretch.hasOtherClock()
                || (stretch.assumesTraceClock() && !clocks.isTraceClock(bundleClocks.bootClock()));
    }

    private BundleRange retried(BundleRange mistaken) {
        BundleRange again = new BundleRange(file, clocks, bundleClocks.bootClock(), builder.newPart());
        mistaken.bundles().forEach(bundle -> again.add(withClock(bundle)));
        return again;
    }

    /** Waits for all threads even after a failure: the file must stay mapped until then. */
    @Override
    public void close() {
        readers.stop();
    }
}
