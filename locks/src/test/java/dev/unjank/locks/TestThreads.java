package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The threads of a test; closing joins them, and an exception of one fails the test. */
public final class TestThreads implements AutoCloseable {
    private static final long LONG_SECONDS = 300;
    private static final long PAUSE_NANOS = 100_000;

    private final List<Task<?>> tasks = new ArrayList<>();
    private final long seconds;

    /** Which may take minutes, on a machine that is busy. */
    public TestThreads() {
        this(LONG_SECONDS);
    }

    /** Which may take so long. */
    public TestThreads(long seconds) {
        this.seconds = seconds;
    }

    /** The action of a thread. */
    public record Task<T>(Thread thread, CompletableFuture<T> result, long seconds) {
        /** Waits for its result. */
        public T get() {
            try {
                return result.get(seconds, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError(thread.getName(), e.getCause());
            } catch (TimeoutException | InterruptedException e) {
                throw new AssertionError(thread + " is still at " + List.of(thread.getStackTrace()), e);
            }
        }
    }

    /** An action without a result. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** Starts an ordinary platform thread. */
    public Task<Void> start(Action action) {
        return start(Importance.ORDINARY, action);
    }

    /** Starts a thread with a result. */
    public <T> Task<T> call(Callable<T> action) {
        return start(Thread.ofPlatform(), Importance.ORDINARY, action);
    }

    Task<Void> start(Importance importance, Action action) {
        return start(Thread.ofPlatform().name(importance + "-" + tasks.size()), importance, () -> {
            action.run();
            return null;
        });
    }

    /** Starts a thread of some kind. */
    public <T> Task<T> start(Thread.Builder builder, Importance importance, Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = builder.unstarted(() -> {
            try {
                result.complete(importance.call(action));
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        Task<T> task = new Task<>(thread, result, seconds);
        tasks.add(task);
        thread.start();
        return task;
    }

    /** Waits until a condition holds, for example that threads have reached their waits. */
    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONG_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time is over").isLessThan(end);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Waits until a thread sleeps in the queue of a lock. */
    static void untilQueued(VipLock lock, Thread thread) {
        until(() -> lock.getQueuedThreads().contains(thread) && sleeps(thread));
    }

    static boolean sleeps(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Override
    public void close() {
        for (Task<?> task : tasks) {
            task.get();
        }
    }
}
