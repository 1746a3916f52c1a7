package dev.unjank.fleet.run;

import dev.unjank.fleet.task.TraceResult;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A queue of results between the workers and the writer, bounded by the number of rows. Workers can continue while a
 * part is written. An empty queue accepts a result of any size.
 */
final class ResultQueue {
    private final long mostRows;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final Condition taken = lock.newCondition();

    // Guarded by the lock.
    private final Queue<TraceResult> outcomes = new ArrayDeque<>();
    private long rows;

    ResultQueue(long mostRows) {
        this.mostRows = mostRows;
    }

    /** Adds a result; waits until there is room. */
    void put(TraceResult outcome) throws InterruptedException {
        long more = outcome.rows();
        lock.lockInterruptibly();
        try {
            while (!outcomes.isEmpty() && rows + more > mostRows) {
                taken.await();
            }
            outcomes.add(outcome);
            rows += more;
            added.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The next result; null if there is none within the time. */
    @Nullable
    TraceResult poll(long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (outcomes.isEmpty() && left > 0) {
                left = added.awaitNanos(left);
            }
            TraceResult next = outcomes.poll();
            if (next != null) {
                rows -= next.rows();
                taken.signalAll();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}
