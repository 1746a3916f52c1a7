package dev.unjank.query;

import dev.unjank.query.QueryException.Kind;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that statements end: when their time is up, or when somebody interrupts them. The engine forgets an interruption
 * that comes between two of its statements, so it is told again until they have ended.
 */
final class Watchdog implements AutoCloseable {
    private static final long AGAIN_NANOS = Duration.ofMillis(20).toNanos();

    private final Engine engine;
    private final @Nullable Duration timeout;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private boolean interrupted;
    private boolean timedOut;
    private boolean over;

    private Watchdog(Engine engine, @Nullable Duration timeout) {
        this.engine = engine;
        this.timeout = timeout;
        this.thread = Thread.ofPlatform().daemon().name("query watchdog").unstarted(this::watch);
    }

    /** Begins to watch an engine, with a limit to the time from now on if there is one. */
    static Watchdog watch(Engine engine, @Nullable Duration timeout) {
        Watchdog dog = new Watchdog(engine, timeout);
        dog.thread.start();
        return dog;
    }

    /** Asks for an end. */
    void interrupt() {
        lock.lock();
        try {
            interrupted = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Whether an end was asked for. */
    boolean isInterrupted() {
        lock.lock();
        try {
            return interrupted;
        } finally {
            lock.unlock();
        }
    }

    /** Fails if an end was asked for. */
    void check() throws QueryException {
        lock.lock();
        try {
            if (interrupted) {
                throw explain(new QueryException(Kind.INTERRUPTED, "interrupted", -1));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Says of an interruption why it was. */
    QueryException explain(QueryException e) {
        lock.lock();
        try {
            if (e.kind() != Kind.INTERRUPTED) {
                return e;
            }
            String why = timedOut && timeout != null
                    ? "stopped after " + seconds(timeout) + ", its time limit"
                    : "interrupted";
            return new QueryException(Kind.INTERRUPTED, why, -1);
        } finally {
            lock.unlock();
        }
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    private void watch() {
        lock.lock();
        try {
            long left = timeout == null ? Long.MAX_VALUE : timeout.toNanos();
            while (!over && !interrupted && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (!over && !interrupted) {
                timedOut = true;
                interrupted = true;
            }
            while (!over) {
                engine.interrupt();
                left = changed.awaitNanos(AGAIN_NANOS);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread; if somebody does, it ends, and statements have all the time they want.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** The statements have ended. When this returns, none of the next will be stopped by this watchdog. */
    @Override
    public void close() {
        lock.lock();
        try {
            over = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        boolean interruptedHere = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interruptedHere = true;
            }
        }
        if (interruptedHere) {
            Thread.currentThread().interrupt();
        }
    }
}
