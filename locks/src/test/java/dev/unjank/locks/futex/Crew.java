package dev.unjank.locks.futex;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads of a test, which ends with them; what one of them throws fails the test, and one that hangs says where. */
public final class Crew implements AutoCloseable {
    private static final long LONG_SECONDS = 50;
    private static final long PAUSE_NANOS = 50_000;

    private final List<Task<?>> tasks = new ArrayList<>();

    /** What a thread does. */
    public record Task<T>(Thread thread, CompletableFuture<T> result) {
        /** Waits for what it gives. */
        public T get() {
            try {
                return result.get(LONG_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError(thread.getName(), e.getCause());
            } catch (TimeoutException | InterruptedException e) {
                throw new AssertionError(thread + " is still at " + List.of(thread.getStackTrace()), e);
            }
        }
    }

    /** What is done for no result. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** Starts a thread. */
    public Task<Void> start(Action action) {
        return call(() -> {
            action.run();
            return null;
        });
    }

    /** Starts a thread that has something to say. */
    public <T> Task<T> call(Callable<T> action) {
        return call(Thread.ofPlatform().daemon(), action);
    }

    /** Starts a thread of a kind. */
    public <T> Task<T> call(Thread.Builder builder, Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = builder.unstarted(() -> {
            try {
                result.complete(action.call());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        Task<T> task = new Task<>(thread, result);
        tasks.add(task);
        thread.start();
        return task;
    }

    /** Waits until something is so. */
    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONG_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it never came to be so");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() {
        tasks.forEach(Task::get);
    }
}
