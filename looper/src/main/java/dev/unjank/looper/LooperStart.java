package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The start of a loop on a thread that a factory made: the task of that thread, and the wait of the starting thread for
 * the looper. Either the looper is handed over or the start fails, whichever is decided first. A looper that comes too
 * late is quit before it loops.
 */
final class LooperStart implements Runnable {
    /** How often the starting thread checks that the new thread is alive. */
    private static final long LOOK_EVERY_MILLIS = 50;

    private final LooperOptions options;
    private final CompletableFuture<Looper> made = new CompletableFuture<>();

    LooperStart(LooperOptions options) {
        this.options = options;
    }

    /** Makes the looper and loops. On the new thread. */
    @Override
    public void run() {
        if (made.isDone()) {
            return;
        }
        Looper looper;
        try {
            looper = Looper.bindNew(options, true);
        } catch (Throwable t) {
            made.completeExceptionally(t);
            throw t;
        }
        if (!made.complete(looper)) {
            looper.quit();
        }
        Looper.loop();
    }

    /** Starts the thread and waits for its looper. An interrupt neither ends the wait nor is lost. */
    Looper on(Thread thread) {
        try {
            thread.start();
        } catch (IllegalThreadStateException e) {
            throw givenUp("The factory started the thread that it made; it must not: " + thread, e);
        }
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    return made.get(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("The thread could not prepare its looper: " + thread, e.getCause());
                } catch (TimeoutException e) {
                    if (!thread.isAlive() && !made.isDone()) {
                        throw givenUp(
                                "The thread ended without running the task given to the factory: " + thread, null);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes sure that no loop runs: a loop that has started already is quit. */
    private IllegalStateException givenUp(String why, @Nullable Exception cause) {
        IllegalStateException failure = new IllegalStateException(why, cause);
        if (!made.completeExceptionally(failure)) {
            CompletableFuture<Void> unused = made.thenAccept(Looper::quit);
        }
        return failure;
    }
}
