package dev.unjank.trace.build.tracker;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Passes operations in batches from the dispatcher to an independent tracker. In a large trace the tracker has its
 * own thread and runs some batches behind; in a small one it runs on the caller's thread.
 */
final class OperationBatches {
    /** Longs in a batch: whole operations, of two or three longs. */
    private static final int BATCH = 3 << 12;

    /** From this number of batches on, a thread pays off. */
    private static final int BATCHES_BEFORE_THREAD = 12;

    private final String name;
    private final Tracker tracker;
    private final boolean alone;
    private long[] batch = new long[BATCH];
    private int used;
    private int batches;
    private @Nullable SerialWorker follower;

    /** Applied batches, to be reused. */
    private final BlockingQueue<long[]> applied = new ArrayBlockingQueue<>(4);

    /** Receives the operations. */
    @FunctionalInterface
    interface Tracker {
        /** Applies a batch of operations; the array is reused afterwards. */
        void apply(long[] operations, int length);
    }

    OperationBatches(String name, Tracker tracker, boolean alone) {
        this.name = name;
        this.tracker = tracker;
        this.alone = alone;
    }

    void add(long a, long b) {
        if (used == BATCH) {
            flush();
        }
        batch[used] = a;
        batch[used + 1] = b;
        used += 2;
    }

    void add(long a, long b, long c) {
        if (used == BATCH) {
            flush();
        }
        batch[used] = a;
        batch[used + 1] = b;
        batch[used + 2] = c;
        used += 3;
    }

    private void flush() {
        if (++batches == BATCHES_BEFORE_THREAD && !alone) {
            follower = new SerialWorker(name);
            follower.start();
        }
        if (follower == null) {
            tracker.apply(batch, used);
        } else {
            long[] full = batch;
            int length = used;
            follower.submit(() -> {
                tracker.apply(full, length);
                applied.offer(full);
            });
            long[] free = applied.poll();
            batch = free == null ? new long[BATCH] : free;
        }
        used = 0;
    }

    /** Runs a task after the last operation; {@link #awaitEnd} waits for it. */
    void finish(Runnable last) {
        if (follower == null) {
            tracker.apply(batch, used);
            last.run();
        } else {
            flush();
            follower.submit(last);
            follower.close();
        }
    }

    void awaitEnd() {
        if (follower != null) {
            follower.awaitTermination();
        }
    }
}
