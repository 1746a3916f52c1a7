package dev.unjank.query.engine;

import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that statements end: when their time is up, or when somebody interrupts them. The engine forgets an interruption
 * that comes between two of its statements, so it is told again until they have ended.
 *
 * <p>It listens while it runs a statement, but not while it plans one or works out a constant. So statements have a thread of
 * their own, and whoever waits for them is let go when the engine has been at the same statement for {@link #GRACE} after it
 * should have ended; the thread stays behind, and the engine with it.
 */
public final class StatementWatchdog {
    /** How long the engine may take to listen. */
    public static final Duration GRACE = Duration.ofSeconds(3);

    private static final long AGAIN_NANOS = Duration.ofMillis(20).toNanos();

    private final Runnable interruption;
    private final LongSupplier statement;
    private final @Nullable Duration timeout;
    private final Duration grace;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private boolean interrupted;
    private boolean timedOut;
    private boolean over;
    private boolean quiet;
    private boolean stuck;
    private boolean waitInterrupted;
    private @Nullable Throwable failure;

    /** Statements. */
    @FunctionalInterface
    public interface Task {
        void run() throws QueryException;
    }

    /**
     * Over an engine.
     *
     * @param interruption asks the statement that is running to end
     * @param statement tells which one is running, negative if none is
     * @param timeout how long the task may take; null for no limit
     * @param grace how long one statement may go on after it was asked to end
     */
    public StatementWatchdog(
            Runnable interruption, LongSupplier statement, @Nullable Duration timeout, Duration grace) {
        this.interruption = interruption;
        this.statement = statement;
        this.timeout = timeout;
        this.grace = grace;
    }

    /**
     * Runs a task, once, and comes back when it has ended, or when it does not end though it should. Whoever interrupts the
     * thread that waits wants the task to end.
     */
    public void run(Task task) throws QueryException {
        Thread.ofPlatform().daemon().name("query").start(() -> work(task));
        lock.lock();
        try {
            long left = timeout == null ? Long.MAX_VALUE : timeout.toNanos();
            while (!over && !interrupted && left > 0) {
                left = await(left);
            }
            if (!over) {
                timedOut = !interrupted;
                interrupted = true;
                // while the engine does not listen, telling it waits, too
                Thread.ofPlatform().daemon().name("query interrupter").start(this::interruptUntilOver);
                awaitEnd();
            }
            if (stuck) {
                throw explain(interrupted());
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
            case QueryException e -> throw explain(e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    private void work(Task task) {
        Throwable thrown = null;
        try {
            task.run();
        } catch (Throwable t) { // for the thread that waits
            thrown = t;
        }
        lock.lock();
        try {
            failure = thrown;
            over = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the task is over and nobody interrupts any more, or until the task is stuck. */
    private void awaitEnd() {
        long last = -1;
        long left = grace.toNanos();
        while (!(over && quiet) && !stuck) {
            long before = System.nanoTime();
            long _ = await(AGAIN_NANOS);
            long now = statement.getAsLong();
            left = now == last && now >= 0 ? left - (System.nanoTime() - before) : grace.toNanos();
            last = now;
            stuck = !over && left < 0;
        }
    }

    private void interruptUntilOver() {
        lock.lock();
        try {
            while (!over) {
                lock.unlock();
                try {
                    interruption.run();
                } finally {
                    lock.lock();
                }
                long _ = over ? 0 : changed.awaitNanos(AGAIN_NANOS);
            }
            quiet = true;
            changed.signalAll();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody has this thread
        } finally {
            lock.unlock();
        }
    }

    /** {@return what is left of the time} */
    @SuppressWarnings("WaitNotInLoop") // all callers are in one
    private long await(long nanos) {
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            interrupted = true;
            waitInterrupted = true;
            return nanos;
        }
    }

    /** Whether the task has been left behind. */
    public boolean isStuck() {
        lock.lock();
        try {
            return stuck;
        } finally {
            lock.unlock();
        }
    }

    /** Asks for an end. */
    public void interrupt() {
        lock.lock();
        try {
            interrupted = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether an end was asked for. */
    public boolean isInterrupted() {
        lock.lock();
        try {
            return interrupted;
        } finally {
            lock.unlock();
        }
    }

    /** Fails if an end was asked for. */
    public void check() throws QueryException {
        if (isInterrupted()) {
            throw interrupted();
        }
    }

    private static QueryException interrupted() {
        return new QueryException(Kind.INTERRUPTED, "interrupted", -1);
    }

    /** Says of an interruption why it was. */
    private QueryException explain(QueryException e) {
        if (e.kind() != Kind.INTERRUPTED) {
            return e;
        }
        String why =
                timedOut && timeout != null ? "stopped after " + seconds(timeout) + ", its time limit" : "interrupted";
        return new QueryException(Kind.INTERRUPTED, why, -1);
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
