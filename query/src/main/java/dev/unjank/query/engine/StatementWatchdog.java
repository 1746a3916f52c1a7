package dev.unjank.query.engine;

import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on a thread of their own, with a time limit and interruption. DuckDB forgets an interruption that
 * arrives between two statements, so it is repeated until the statements have ended.
 *
 * <p>DuckDB reacts to interruptions while it executes a statement, but not while it plans one or folds constants. If
 * one statement continues for {@link #GRACE} after it should have ended, the caller returns, and the thread and the
 * engine are abandoned.
 */
public final class StatementWatchdog {
    /** Time in which the engine must respond to an interruption. */
    public static final Duration GRACE = Duration.ofSeconds(3);

    private static final long REPEAT_NANOS = Duration.ofMillis(20).toNanos();

    private final Runnable interruption;
    private final LongSupplier runningStatement;
    private final @Nullable Duration timeout;
    private final Duration grace;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private boolean interrupted;
    private boolean timedOut;
    private boolean done;
    private boolean interruptionsStopped;
    private boolean unresponsive;
    private boolean waitInterrupted;
    private @Nullable Throwable failure;

    /** The statements to run. */
    @FunctionalInterface
    public interface Task {
        void run() throws QueryException;
    }

    /**
     * Creates a watchdog for one task.
     *
     * @param interruption interrupts the running statement
     * @param runningStatement number of the running statement, negative if none is running
     * @param timeout time limit of the task; null for none
     * @param grace time in which the engine must respond to an interruption
     */
    public StatementWatchdog(
            Runnable interruption, LongSupplier runningStatement, @Nullable Duration timeout, Duration grace) {
        this.interruption = interruption;
        this.runningStatement = runningStatement;
        this.timeout = timeout;
        this.grace = grace;
    }

    /**
     * Runs a task, once. Returns when the task has ended, or fails when the engine is unresponsive. Interrupting the
     * calling thread interrupts the task.
     */
    public void run(Task task) throws QueryException {
        Thread.ofPlatform().daemon().name("query").start(() -> work(task));
        lock.lock();
        try {
            long left = timeout == null ? Long.MAX_VALUE : timeout.toNanos();
            while (!done && !interrupted && left > 0) {
                left = await(left);
            }
            if (!done) {
                timedOut = !interrupted;
                interrupted = true;
                // interrupting blocks while the engine does not respond
                Thread.ofPlatform().daemon().name("query interrupter").start(this::interruptUntilDone);
                awaitEnd();
            }
            if (unresponsive) {
                throw withReason(interrupted());
            }
            rethrow();
        } finally {
            lock.unlock();
            if (waitInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void rethrow() throws QueryException {
        switch (failure) {
            case null -> {}
            case QueryException e -> throw withReason(e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    private void work(Task task) {
        Throwable thrown = null;
        try {
            task.run();
        } catch (Throwable t) { // rethrown on the calling thread
            thrown = t;
        }
        lock.lock();
        try {
            failure = thrown;
            done = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the task is done and no interruption is pending, or until the engine is unresponsive. */
    private void awaitEnd() {
        long last = -1;
        long left = grace.toNanos();
        while (!(done && interruptionsStopped) && !unresponsive) {
            long before = System.nanoTime();
            long _ = await(REPEAT_NANOS);
            long now = runningStatement.getAsLong();
            left = now == last && now >= 0 ? left - (System.nanoTime() - before) : grace.toNanos();
            last = now;
            unresponsive = !done && left < 0;
        }
    }

    private void interruptUntilDone() {
        lock.lock();
        try {
            while (!done) {
                lock.unlock();
                try {
                    interruption.run();
                } finally {
                    lock.lock();
                }
                long _ = done ? 0 : changed.awaitNanos(REPEAT_NANOS);
            }
            interruptionsStopped = true;
            changed.signalAll();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // no code interrupts this thread
        } finally {
            lock.unlock();
        }
    }

    /** {@return the remaining time} */
    @SuppressWarnings("WaitNotInLoop") // all callers loop
    private long await(long nanos) {
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            interrupted = true;
            waitInterrupted = true;
            return nanos;
        }
    }

    /** Whether the engine did not respond and the task was abandoned. */
    public boolean isUnresponsive() {
        lock.lock();
        try {
            return unresponsive;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the task. */
    public void interrupt() {
        lock.lock();
        try {
            interrupted = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the task was interrupted. */
    public boolean isInterrupted() {
        lock.lock();
        try {
            return interrupted;
        } finally {
            lock.unlock();
        }
    }

    /** Fails if the task was interrupted. */
    public void check() throws QueryException {
        if (isInterrupted()) {
            throw interrupted();
        }
    }

    private static QueryException interrupted() {
        return new QueryException(Kind.INTERRUPTED, "interrupted", -1);
    }

    /** Adds the reason to an interruption. */
    private QueryException withReason(QueryException e) {
        if (e.kind() != Kind.INTERRUPTED && !(interrupted && isOfAbortedTransaction(e))) {
            return e;
        }
        String reason =
                timedOut && timeout != null ? "stopped after the time limit of " + seconds(timeout) : "interrupted";
        return new QueryException(Kind.INTERRUPTED, reason, -1);
    }

    /**
     * Whether an earlier statement of the same transaction failed: after an interruption, the earlier one was
     * interrupted.
     */
    private static boolean isOfAbortedTransaction(QueryException e) {
        return String.valueOf(e.getMessage()).startsWith("Current transaction is aborted");
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
