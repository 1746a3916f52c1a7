package dev.unjank.trace.build.tracker;

import dev.unjank.trace.concurrent.TaskQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;

/**
 * Passes operations in batches from the dispatcher to an independent tracker. In a large trace an
 * executor runs the tracker, some batches behind; in a small one it runs on the caller's thread.
 */
final class OperationBatches {
    /** Longs in a batch: whole operations, of two or three longs. */
    private static final int BATCH = 3 << 12;

    /** From this number of batches on, a task pays off. */
    private static final int BATCHES_BEFORE_TASK = 12;

    /** Enough to decouple both threads, with little memory. */
    private static final int MAX_BEHIND = 16;

    private final Tracker tracker;
    private final TaskQueue tasks;
    private long[] batch = new long[BATCH];
    private int used;
    private int batches;

    /** Applied batches, to be reused. */
    private final BlockingQueue<long[]> applied = new ArrayBlockingQueue<>(4);

    /** Receives the operations. */
    @FunctionalInterface
    interface Tracker {
        /** Applies a batch of operations; the array is reused afterwards. */
        void apply(long[] operations, int length);
    }

    OperationBatches(Tracker tracker, Executor executor) {
        this.tracker = tracker;
        this.tasks = new TaskQueue(executor, 1, MAX_BEHIND);
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
        if (++batches < BATCHES_BEFORE_TASK) {
            tracker.apply(batch, used);
        } else {
            long[] full = batch;
            int length = used;
            tasks.add(() -> {
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
        flush();
        if (batches < BATCHES_BEFORE_TASK) {
            last.run();
        } else {
            tasks.add(last);
        }
    }

    void awaitEnd() {
        tasks.await();
    }
}
