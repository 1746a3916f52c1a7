package dev.unjank.trace.read;

import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.proto.Fields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bundles of kernel events of a mapped file, which are nearly all of a trace: noted while the rest is read in order, and
 * read afterwards, when all that they depend on is known, by as many threads as pays. Each thread takes a stretch of the file
 * and a builder of its own; the builders' events are put together in the file's order, so that the result does not depend on
 * the number of threads.
 */
final class DeferredBundles {
    /**
     * When to share the work.
     *
     * @param worthAThread how many bytes of bundles are worth a thread
     * @param threads how many threads there may be
     */
    record Sharing(long worthAThread, int threads) {
        /** Starting a thread and putting results together costs about what reading a tenth of 4 MiB does. */
        static final Sharing DEFAULT =
                new Sharing(4 << 20, Math.min(Runtime.getRuntime().availableProcessors(), 4));
    }

    private final MemorySegment file;
    private final Sharing sharing;
    private long[] offsets = new long[256];
    private int[] lengths = new int[256];
    private FtraceBundle[] heads = new FtraceBundle[256];
    private int size;
    private long bytes;

    DeferredBundles(MemorySegment file, Sharing sharing) {
        this.file = file;
        this.sharing = sharing;
    }

    /** Notes the packet of a bundle. */
    void add(long offset, int length, FtraceBundle head) {
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, size * 2);
            lengths = Arrays.copyOf(lengths, size * 2);
            heads = Arrays.copyOf(heads, size * 2);
        }
        offsets[size] = offset;
        lengths[size] = length;
        heads[size++] = head;
        bytes += length;
    }

    /** Reads all of them into a builder. */
    void readAll(FtraceImporter ftrace, TraceBuilder builder, PacketImporter importer) {
        int stretches = (int) Math.max(1, Math.min(sharing.threads(), bytes / sharing.worthAThread()));
        // A clock's route to the trace's is sought when first asked for; later the clocks are shared and must not
        // change.
        for (int i = 0; i < size; i++) {
            importer.clocks().converter(heads[i].clock());
        }
        List<Stretch> others = new ArrayList<>();
        int from = endOfStretch(0, bytes / stretches);
        int firstEnd = from;
        for (int i = 1; i < stretches; i++) {
            int to = i == stretches - 1 ? size : endOfStretch(from, bytes / stretches);
            others.add(new Stretch(from, to, importer.clocks()));
            from = to;
        }
        for (Stretch other : others) {
            other.thread.start();
        }
        try {
            read(0, stretches == 1 ? size : firstEnd, ftrace);
        } finally {
            // Come what may: the file must stay mapped until all have left it.
            for (Stretch other : others) {
                other.await();
            }
        }
        for (Stretch other : others) {
            other.rethrow();
            builder.append(other.builder);
            importer.skipped().add(other.skipped);
            ftrace.addMarks(other.ftrace);
        }
    }

    private int endOfStretch(int from, long share) {
        long sum = 0;
        int to = from;
        while (to < size && sum < share) {
            sum += lengths[to++];
        }
        return to;
    }

    private void read(int from, int to, FtraceImporter ftrace) {
        byte[] packet = new byte[1 << 16];
        ProtoReader reader = new ProtoReader();
        for (int i = from; i < to; i++) {
            int length = lengths[i];
            if (length > packet.length) {
                packet = new byte[Math.max(length, packet.length * 2)];
            }
            MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offsets[i], packet, 0, length);
            reader.reset(packet, 0, length);
            while (reader.next()) {
                if (reader.field() == TracePacket.FTRACE_EVENTS) {
                    ftrace.read(reader, heads[i]);
                    break;
                }
            }
        }
    }

    /** What a further thread reads. */
    private final class Stretch implements Runnable {
        final TraceBuilder builder = new TraceBuilder("part");
        final Skipped skipped = new Skipped();
        final FtraceImporter ftrace;
        final Thread thread;
        private final int from;
        private final int to;
        private volatile @Nullable Throwable failure;

        Stretch(int from, int to, ClockSync clocks) {
            this.from = from;
            this.to = to;
            ftrace = new FtraceImporter(builder, clocks, skipped);
            thread = new Thread(this, "trace-reader");
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try {
                read(from, to, ftrace);
            } catch (Throwable e) {
                failure = e; // for rethrow()
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
