package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.perfetto.ftrace.BundleRange.Bundle;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The bundles of kernel events of a mapped file, which are nearly all of a trace: noted while the rest is read in order, and read by
 * as many threads as pays. The file is cut into stretches, and each thread takes the next one that nobody has; a stretch has a
 * builder of its own. The builders' events are put together in the file's order, so that the result does not depend on the
 * number of threads.
 *
 * <p>Heads of bundles, too, are left to the threads, on the supposition that they are all of the boot clock if the first is. If that
 * is the trace's clock as well, bundles depend on nothing that comes behind them, and threads read them while others are still found.
 * Where a supposition proves wrong everything is read once more, when all is known.
 */
public final class ParallelBundleImport implements AutoCloseable {
    /**
     * When to share the work.
     *
     * @param worthAThread how many bytes of bundles are worth a thread
     */
    public record Sharing(long worthAThread, int threads) {
        /** Starting a thread and putting results together costs about what reading a tenth of 1 MiB does. */
        public static final Sharing DEFAULT =
                new Sharing(1 << 20, Math.min(Runtime.getRuntime().availableProcessors(), 4));

        /** With nobody. */
        public static final Sharing ALONE = new Sharing(Long.MAX_VALUE, 1);

        /** So many stretches for each thread that none waits long for the last. */
        private static final int STRETCHES_PER_THREAD = 8;

        /** Cutting takes an eighth of what reading does. */
        private static final int WORTH_CUTTING_AHEAD = 8;

        /** Whether one thread is to do everything. */
        public boolean isSingleThreaded() {
            return threads == 1;
        }

        /** How many bytes of bundles make a stretch of a file. */
        private long bytesPerStretch(long fileBytes) {
            int most = threads == 1 ? 1 : threads * STRETCHES_PER_THREAD;
            return fileBytes / Math.max(1, Math.min(most, fileBytes / worthAThread));
        }

        /** Whether a file is so large that another thread is to cut it into packets. */
        public boolean prefetchesPackets(long fileBytes) {
            return threads > 1 && fileBytes >= WORTH_CUTTING_AHEAD * worthAThread;
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
    private List<BundleRange> stretches = new ArrayList<>();

    private boolean hasRoom;
    private byte[] buffer = {};

    /** Whether all bundles so far are of the boot clock, as far as their heads have been read. */
    private boolean supposesBootClock;

    /** Begins. */
    public ParallelBundleImport(MemorySegment file, Sharing sharing, TraceBuilder builder, ClockConverter clocks) {
        this.file = file;
        this.sharing = sharing;
        this.builder = builder;
        this.clocks = clocks;
        bundleClocks = new BundleClocks(clocks);
        bytesPerStretch = sharing.bytesPerStretch(file.byteSize());
    }

    /** Notes a bundle. */
    public void add(long offset, int length, int sequenceId, KernelSymbols symbols, boolean isAfterDrop) {
        Bundle bundle = new Bundle(offset, length, sequenceId, symbols, symbols.size(), isAfterDrop, null);
        if (!supposesBootClock) {
            Bundle known = withClock(bundle);
            supposesBootClock = stretches.isEmpty() && head.isOfBootClock();
            bundle = supposesBootClock ? bundle : known;
        }
        if (!hasRoom) {
            stretches.add(new BundleRange(file, clocks, bundleClocks.bootClock(), builder.newPart()));
        }
        BundleRange stretch = stretches.getLast();
        stretch.add(bundle);
        hasRoom = stretch.bytes() < bytesPerStretch;
        if (!hasRoom && supposesBootClock && clocks.isTraceClock(bundleClocks.bootClock())) {
            stretch.assumeTraceClock();
            readers.put(stretch);
            readers.start(Math.min(stretches.size(), sharing.threads - 1));
        }
    }

    private Bundle withClock(Bundle bundle) {
        buffer = bundle.copy(file, buffer);
        head.read(buffer, 0, bundle.length());
        return bundle.of(bundleClocks.clock(head, bundle.sequenceId()));
    }

    /** Reads all of them that nobody has read yet; what is counted is added to an importer's counts. */
    public void readAll(FtraceImporter counts) {
        finish();
        if (stretches.stream().anyMatch(this::assumedWrongClock)) {
            stretches = stretches.stream().map(this::retried).toList();
            readers = new BundleReaderPool();
            finish();
        }
        stretches.forEach(stretch -> stretch.appendTo(builder, counts));
    }

    /** Has the stretches read that have not been given out yet, which all is known for now. */
    private void finish() {
        // A clock's route to the trace's is sought when first asked for; now clocks are shared and must not change.
        clocks.converter(bundleClocks.bootClock());
        for (BundleRange stretch : stretches) {
            for (Bundle bundle : stretch.bundles()) {
                if (bundle.clock() != null) {
                    clocks.converter(bundle.clock());
                }
            }
            if (!stretch.assumesTraceClock()) {
                readers.put(stretch);
            }
        }
        readers.start(Math.min(stretches.size(), sharing.threads) - 1);
        readers.finish();
    }

    private boolean assumedWrongClock(BundleRange stretch) {
        return stretch.isOfOtherClock()
                || (stretch.assumesTraceClock() && !clocks.isTraceClock(bundleClocks.bootClock()));
    }

    private BundleRange retried(BundleRange mistaken) {
        BundleRange again = new BundleRange(file, clocks, bundleClocks.bootClock(), builder.newPart());
        mistaken.bundles().forEach(bundle -> again.add(withClock(bundle)));
        return again;
    }

    /** Come what may: the file must stay mapped until all have left it. */
    @Override
    public void close() {
        readers.stop();
    }
}
