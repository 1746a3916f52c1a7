package dev.unjank.record.linux;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads with a time limit: another process can block the read of its table of mappings, for which the kernel locks its memory. */
final class TimedRead {
    private TimedRead() {}

    /** Calls in another thread, which is abandoned at the limit. */
    static <T> T within(Duration limit, String what, Callable<T> read) throws IOException {
        FutureTask<T> task = new FutureTask<>(read);
        Thread.ofPlatform().daemon().name("read-process").start(task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException(what + " cannot be read in time: the process blocks it", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case null, default -> throw new IOException(e);
            }
        }
    }
}
