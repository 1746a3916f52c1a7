package dev.unjank.trace.read;

import dev.unjank.trace.TraceBuilder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The bundles of kernel events of a mapped file, which are nearly all of a trace: noted while the rest is read in order, and
 * read afterwards, when all that they depend on is known, by as many threads as pays. The file is cut into stretches, and each
 * thread takes the next one that nobody has; a stretch has a builder of its own. The builders' events are put together in the
 * file's order, so that the result does not depend on the number of threads.
 *
 * <p>Heads of bundles, too, are left to the threads, on the supposition that they are all of the boot clock if the first is.
 * Where that proves wrong everything is read once more.
 */
final class DeferredBundles {
    /**
     * When to share the work.
     *
     * @param worthAThread how many bytes of bundles are worth a thread
     * @param threads how many threads there may be
     */
    record Sharing(long worthAThread, int threads) {
        /** Starting a thread and putting results together costs about what reading a tenth of 1 MiB does. */
        static final Sharing DEFAULT =
                new Sharing(1 << 20, Math.min(Runtime.getRuntime().availableProcessors(), 4));

        /** So many stretches for each thread that none waits long for the last. */
        private static final int STRETCHES_PER_THREAD = 8;

        private int threadsFor(long bytes) {
            return (int) Math.max(1, Math.min(threads, bytes / worthAThread));
        }

        private int stretchesFor(long bytes) {
            int most = threads == 1 ? 1 : threads * STRETCHES_PER_THREAD;
            return (int) Math.max(1, Math.min(most, bytes / worthAThread));
        }
    }

    private final MemorySegment file;
    private final Sharing sharing;
    private final ClockSync clocks;
    private final BundleClocks bundleClocks;
    private final BundleHead head = new BundleHead();
    private byte[] buffer = {};

    // Per bundle: where it lies in the file, its packet's sequence, its kernel functions; its clock, null while that is
    // a
    // supposition.
    private long[] offsets = new long[256];
    private int[] lengths = new int[256];
    private int[] sequenceIds = new int[256];
    private KernelSymbols[] symbols = new KernelSymbols[256];
    private ClockSync.@Nullable Clock[] ofClocks = new ClockSync.@Nullable Clock[256];
    private int size;
    private long bytes;

    /** Whether all bundles so far are of the boot clock, as far as their heads have been read. */
    private boolean supposesBootClock;

    DeferredBundles(MemorySegment file, Sharing sharing, ClockSync clocks) {
        this.file = file;
        this.sharing = sharing;
        this.clocks = clocks;
        bundleClocks = new BundleClocks(clocks);
    }

    /** Whether a bundle may be noted without being looked at. */
    boolean mayLeaveHeads() {
        return supposesBootClock;
    }

    /** Notes a bundle. */
    void add(long offset, int length, int sequenceId, KernelSymbols ofKernel) {
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, size * 2);
            lengths = Arrays.copyOf(lengths, size * 2);
            sequenceIds = Arrays.copyOf(sequenceIds, size * 2);
            symbols = Arrays.copyOf(symbols, size * 2);
            ofClocks = Arrays.copyOf(ofClocks, size * 2);
        }
        offsets[size] = offset;
        lengths[size] = length;
        sequenceIds[size] = sequenceId;
        symbols[size] = ofKernel;
        if (!supposesBootClock) {
            ofClocks[size] = readClock(size);
            supposesBootClock = size == 0 && head.isOfBootClock();
        }
        size++;
        bytes += length;
    }

    private ClockSync.Clock readClock(int bundle) {
        buffer = copy(bundle, buffer);
        head.read(buffer, 0, lengths[bundle]);
        return bundleClocks.clock(head, sequenceIds[bundle]);
    }

    /** The bytes of a bundle, in the array given if they fit. */
    private byte[] copy(int bundle, byte[] into) {
        int length = lengths[bundle];
        byte[] copy = length <= into.length ? into : new byte[Math.max(length, into.length * 2)];
        MappedBytes.copy(file, offsets[bundle], copy, 0, length);
        return copy;
    }

    /** Reads all of them into a builder; what is counted is added to an importer's counts. */
    void readAll(TraceBuilder builder, FtraceImporter counts) {
        List<Stretch> stretches = read(builder);
        if (stretches.stream().anyMatch(stretch -> stretch.otherClock)) {
            for (int bundle = 0; bundle < size; bundle++) {
                ofClocks[bundle] = readClock(bundle);
            }
            stretches = read(builder);
        }
        for (Stretch stretch : stretches) {
            builder.append(stretch.builder);
            counts.addCounts(stretch.ftrace);
        }
    }

    private List<Stretch> read(TraceBuilder builder) {
        // A clock's route to the trace's is sought when first asked for; later the clocks are shared and must not
        // change.
        clocks.converter(bundleClocks.bootClock());
        for (int bundle = 0; bundle < size; bundle++) {
            ClockSync.Clock clock = ofClocks[bundle];
            if (clock != null) {
                clocks.converter(clock);
            }
        }
        List<Stretch> stretches = stretches(builder);
        AtomicInteger next = new AtomicInteger();
        List<Reader> others = new ArrayList<>();
        for (int i = 1; i < sharing.threadsFor(bytes); i++) {
            Reader other = new Reader(stretches, next);
            others.add(other);
            other.thread.start();
        }
        Reader own = new Reader(stretches, next);
        try {
            own.run();
        } finally {
            // Come what may: the file must stay mapped until all have left it.
            others.forEach(Reader::await);
        }
        own.rethrow();
        others.forEach(Reader::rethrow);
        return stretches;
    }

    private List<Stretch> stretches(TraceBuilder builder) {
        int count = sharing.stretchesFor(bytes);
        List<Stretch> stretches = new ArrayList<>();
        long sum = 0;
        int from = 0;
        for (int bundle = 0; bundle < size; bundle++) {
            sum += lengths[bundle];
            if (sum > bytes / count || bundle == size - 1) {
                stretches.add(new Stretch(from, bundle + 1, builder.newPart()));
                from = bundle + 1;
                sum = 0;
            }
        }
        return stretches;
    }

    /** A few neighbouring bundles. */
    private final class Stretch {
        final TraceBuilder builder;
        final FtraceImporter ftrace;
        private final int from;
        private final int to;

        /** Whether a bundle is of a clock of which nobody knew when this was read. */
        boolean otherClock;

        Stretch(int from, int to, TraceBuilder builder) {
            this.from = from;
            this.to = to;
            this.builder = builder;
            ftrace = new FtraceImporter(builder, clocks, new Skipped());
        }

        /** Reads the bundles, through the array given or a larger one, which is returned. */
        byte[] read(byte[] through) {
            byte[] copy = through;
            ClockSync.Clock bootClock = bundleClocks.bootClock();
            for (int bundle = from; bundle < to && !otherClock; bundle++) {
                copy = copy(bundle, copy);
                BundleHead bundleHead = ftrace.readHead(copy, 0, lengths[bundle]);
                ClockSync.Clock known = ofClocks[bundle];
                if (known == null && !bundleHead.isOfBootClock()) {
                    otherClock = true;
                } else {
                    ftrace.readEvents(known == null ? bootClock : known, symbols[bundle]);
                }
            }
            return copy;
        }
    }

    /** Reads stretch after stretch, in a thread of its own or in the caller's. */
    private static final class Reader implements Runnable {
        final Thread thread = new Thread(this, "trace-reader");
        private final List<Stretch> stretches;
        private final AtomicInteger next;
        private volatile @Nullable Throwable failure;

        Reader(List<Stretch> stretches, AtomicInteger next) {
            this.stretches = stretches;
            this.next = next;
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            byte[] buffer = new byte[1 << 16];
            try {
                for (int i = next.getAndIncrement(); i < stretches.size(); i = next.getAndIncrement()) {
                    buffer = stretches.get(i).read(buffer);
                }
            } catch (Throwable e) {
                failure = e; // for rethrow()
                next.set(stretches.size());
            }
        }

        /** Waits for the end. */
        void await() {
            boolean interrupted = false;
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** What went wrong there goes wrong here. */
        void rethrow() {
            if (failure instanceof Error error) {
                throw error;
            } else if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
