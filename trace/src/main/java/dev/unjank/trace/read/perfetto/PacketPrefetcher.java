package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.concurrent.TaskQueue;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A stream of packets that an executor splits, some batches ahead of the reader. In a trace of track events, with
 * many small packets that depend on one another, nearly nothing else can be parallel.
 */
final class PacketPrefetcher implements PacketSource {
    /** Enough to decouple both threads, with little memory. */
    private static final int BATCHES_AHEAD = 4;

    private final PacketStream stream;
    private final TaskQueue tasks;
    private final Queue<PacketBatch> full = new ConcurrentLinkedQueue<>();

    // The state of the stream, for the task that fills a batch: the header of its current packet, whether that is in
    // no batch yet, and whether the last batch has been filled.
    private final PacketHeader header = new PacketHeader();
    private boolean isPending;
    private boolean isEnded;

    /** The failure of the stream; written before the last batch is passed on. */
    private @Nullable Throwable failure;

    private PacketBatch batch = new PacketBatch();
    private int current;

    /** Starts to fill batches; the stream must not be used until {@link #close}. */
    PacketPrefetcher(PacketStream stream, Executor executor) {
        this.stream = stream;
        tasks = new TaskQueue(executor, 1, BATCHES_AHEAD);
        for (int i = 1; i < BATCHES_AHEAD; i++) {
            refill(new PacketBatch());
        }
    }

    private void refill(PacketBatch free) {
        tasks.add(() -> fill(free));
    }

    private void fill(PacketBatch filling) {
        if (isEnded) {
            return;
        }
        try {
            isPending = isPending || stream.next(header);
            while (isPending && filling.add(stream, header)) {
                isPending = stream.next(header);
            }
            isEnded = !isPending;
        } catch (IOException | RuntimeException | Error e) {
            failure = e; // for next()
            isEnded = true;
        }
        if (isEnded) {
            filling.end();
        }
        full.add(filling);
    }

    @Override
    public boolean next(PacketHeader frame) throws IOException {
        current++;
        while (current >= batch.packets) {
            if (batch.isLast) {
                rethrow();
                return false;
            }
            batch.clear();
            refill(batch);
            batch = take();
            current = 0;
        }
        batch.loadFrame(current, frame);
        return true;
    }

    private PacketBatch take() {
        PacketBatch next = full.poll();
        while (next == null) {
            tasks.help();
            next = full.poll();
        }
        return next;
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
        return batch.bytes;
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

    /** Waits until no task uses the file. */
    @Override
    public void close() {
        tasks.stop();
    }
}
