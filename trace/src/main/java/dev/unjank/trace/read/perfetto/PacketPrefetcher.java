package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.read.perfetto.ftrace.BundleReaderPool;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A stream of packets that a thread of its own cuts apart, some batches ahead of whoever reads them. In a trace of track events,
 * whose packets are small and many and build on one another, that is nearly all that another thread can help with.
 */
final class PacketPrefetcher implements PacketSource {
    /** Enough that neither waits for the other's hiccups, and little memory. */
    private static final int BATCHES_AHEAD = 4;

    private final PacketStream stream;
    private final BlockingQueue<PacketBatch> full = new ArrayBlockingQueue<>(BATCHES_AHEAD);

    /** Batches that have been read and may be filled again. */
    private final BlockingQueue<PacketBatch> empty = new ArrayBlockingQueue<>(BATCHES_AHEAD);

    private final Thread thread = new Thread(this::run, "trace-packets");

    /** What went wrong in the thread; written before the last batch is handed over. */
    private @Nullable Throwable failure;

    private PacketBatch batch = new PacketBatch();
    private int current;

    /** Begins; nobody else may use the stream until {@link #close}. */
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
            // Nobody wants any more.
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
    public boolean hasLeftBundle() {
        return batch.leftOffset(current) >= 0;
    }

    @Override
    public long leftOffset() {
        return batch.leftOffset(current);
    }

    @Override
    public int leftLength() {
        return batch.leftLength(current);
    }

    /** Waits until the thread has left the file. */
    @Override
    public void close() {
        thread.interrupt();
        BundleReaderPool.await(thread);
    }
}
