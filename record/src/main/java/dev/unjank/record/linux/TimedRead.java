package dev.unjank.record.linux;

import dev.unjank.record.lifecycle.ClosingTask;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Reads with a time limit while a recording starts: another process can block the read of its memory or its table of
 * mappings, for which the kernel locks its memory.
 */
public final class TimedRead {
    /** Much longer than a read takes. */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private TimedRead() {}

    /**
     * Opens in another thread, which is abandoned at the limit, or when the recording is to end. A file that it opens
     * after that is closed.
     *
     * @param isEnding whether the recording is to end, which may become true while this waits
     */
    public static <T extends AutoCloseable> T within(
            Duration limit, BooleanSupplier isEnding, String what, Callable<T> opening) throws IOException {
        ClosingTask<T> task = new ClosingTask<>(opening, AutoCloseable::close);
        Thread.ofPlatform().daemon().name("read-process").start(task);
        long begun = System.nanoTime();
        try {
            while (true) {
                try {
                    return task.get(Math.min(STEP_NANOS, limit.toNanos()), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (isEnding.getAsBoolean()) {
                        throw givenUp(task, "the recording was interrupted while it was starting", e);
                    } else if (System.nanoTime() - begun >= limit.toNanos()) {
                        throw givenUp(task, what + " cannot be read in time: the process blocks it", e);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw givenUp(task, "interrupted", e);
        } catch (ExecutionException e) {
            throw thrown(e);
        }
    }

    private static IOException givenUp(ClosingTask<? extends AutoCloseable> task, String why, Exception cause) {
        if (!task.cancel(false)) { // it has ended at the last moment
            try {
                task.resultNow().close();
            } catch (Exception e) {
                cause.addSuppressed(e);
            }
        }
        return new IOException(why, cause);
    }

    private static IOException thrown(Exception failure) {
        return switch (failure.getCause()) {
            case IOException cause -> cause;
            case RuntimeException cause -> throw cause;
            case null, default -> new IOException(failure);
        };
    }
}
