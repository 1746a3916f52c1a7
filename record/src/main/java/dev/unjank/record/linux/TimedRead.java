package dev.unjank.record.linux;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads with a time limit: another process can block the read of its table of mappings, for which the kernel locks its memory. */
final class TimedRead {
    private TimedRead() {}

    /** Opens in another thread, which is abandoned at the limit. What it opens after that is closed. */
    static <T extends AutoCloseable> T within(Duration limit, String what, Callable<T> opening) throws IOException {
        CompletableFuture<T> opened = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("read-process").start(() -> open(opening, opened));
        try {
            return opened.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return inTimeOr(opened, new IOException(what + " cannot be read in time: the process blocks it", e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return inTimeOr(opened, new IOException("interrupted", e));
        } catch (ExecutionException e) {
            throw thrown(e);
        }
    }

    private static <T extends AutoCloseable> void open(Callable<T> opening, CompletableFuture<T> opened) {
        try {
            T value = opening.call();
            if (!opened.complete(value)) {
                value.close();
            }
        } catch (Throwable e) {
            opened.completeExceptionally(e);
        }
    }

    /** Gives up, unless it has been opened at the last moment. */
    private static <T> T inTimeOr(CompletableFuture<T> opened, IOException failure) throws IOException {
        opened.completeExceptionally(failure);
        try {
            return opened.join();
        } catch (CompletionException e) {
            throw thrown(e);
        }
    }

    private static IOException thrown(Exception failure) {
        return switch (failure.getCause()) {
            case IOException cause -> cause;
            case RuntimeException cause -> throw cause;
            case null, default -> new IOException(failure);
        };
    }
}
