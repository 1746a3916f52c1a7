package dev.unjank.record.linux;

import dev.unjank.record.lifecycle.ClosingTask;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads with a time limit: another process can block the read of its table of mappings, for which the kernel locks its memory. */
final class TimedRead {
    private TimedRead() {}

    /** Opens in another thread, which is abandoned at the limit. A file that it opens after that is closed. */
    static <T extends AutoCloseable> T within(Duration limit, String what, Callable<T> opening) throws IOException {
        ClosingTask<T> task = new ClosingTask<>(opening, AutoCloseable::close);
        Thread.ofPlatform().daemon().name("read-process").start(task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw givenUp(task, what + " cannot be read in time: the process blocks it", e);
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
