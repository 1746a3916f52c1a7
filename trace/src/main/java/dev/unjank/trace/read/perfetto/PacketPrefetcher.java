package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.read.perfetto.ftrace.BundleReaderPool;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A stream of packets that another thread splits, some batches ahead of the reader. In a trace of track events, with
 * many small packets that depend on one another, nearly nothing else can be parallel.
 */
final class PacketPrefetcher implements PacketSource {
    /** Enough to decouple both threads, with little memory. */
    private static final int BATCHES_AHEAD = 4;

    private final PacketStream stream;
    private final BlockingQueue<PacketBatch> full = new ArrayBlockingQueue<>(BATCHES_AHEAD);

    /** Batches that have been read, for reuse. */
    private final BlockingQueue<PacketBatch> empty = new ArrayBlockingQueue<>(BATCHES_AHEAD);

    private final Thread thread = new Thread(this::run, "trace-packets");

    /** The failure of the thread; written before the last batch is passed on. */
    private @Nullable Throwable failure;

    private PacketBatch batch = new PacketBatch();
    private int current;

    /** Starts the thread, which owns the stream until {@link #close}. */
    PacketPrefetcher(PacketStream stream) {
        this.stream = stream;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        PacketHeader frame = new PacketHeader();
        PacketBatch filling = new PacketBatch();
        try {
            try {
                while (stream.next(frame)) {
                    if (!filling.add(stream, frame)) {
                        full.put(filling);
                        PacketBatch free = empty.poll();
                        filling = free == null ? new PacketBatch() : free;
                        filling.add(stream, frame);
                    }
                }
            } catch (IOException | RuntimeException | Error e) {
                failure = e; // for next()
            }
            filling.end();
            full.put(filling);
        } catch (InterruptedException e) {
            // The reader has closed the stream.
        }
    }

    @Override
    public boolean next(PacketHeader frame) throws IOException {
        current++;
        while (current >= batch.size()) {
            if (batch.isLast()) {
                rethrow();
                return false;
            }
            batch.clear();
            empty.offer(batch);
            batch = take();
            current = 0;
        }
        batch.loadFrame(current, frame);
        return true;
    }

    private PacketBatch take() {
        boolean interrupted = false;
        while (true) {
            try {
                PacketBatch next = full.take();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return next;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private void rethrow() throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        } else if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public byte[] bytes() {
        return batch.bytes();
    }

    @Override
    public int from() {
        return batch.from(current);
    }

    @Override
    public int to() {
        return batch.to(current);
    }

    @Override
    public long offsetOf(int index) {
        return batch.offset(current) + index - batch.from(current);
    }

    @Override
    public boolean hasSkippedBundle() {
        return batch.leftOffset(current) >= 0;
    }

    @Override
    public long skippedOffset() {
        return batch.leftOffset(current);
    }

    @Override
    public int skippedLength() {
        return batch.leftLength(current);
    }

    /** Waits until the thread no longer uses the file. */
    @Override
    public void close() {
        thread.interrupt();
        BundleReaderPool.await(thread);
    }
}
