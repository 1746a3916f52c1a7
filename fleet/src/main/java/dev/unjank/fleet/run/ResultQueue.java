package dev.unjank.fleet.run;

import dev.unjank.fleet.task.TraceResult;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes on their way to whoever writes them. Writing takes a second now and then, during which those who ask go on; but there is room
 * only for so many rows, and for one outcome however many it has.
 */
final class ResultQueue {
    private final long mostRows;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final Condition taken = lock.newCondition();

    // Guarded by the lock.
    private final Queue<TraceResult> outcomes = new ArrayDeque<>();
    private long rows;

    /** With room for so many rows. */
    ResultQueue(long mostRows) {
        this.mostRows = mostRows;
    }

    /** Waits until there is room. */
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

    /** The next one; null if there is none for a moment. */
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
