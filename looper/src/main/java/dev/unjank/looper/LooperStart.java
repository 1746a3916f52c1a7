package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The start of a loop on a thread from a factory: the task of that thread, which the starting thread waits for. The
 * start ends once, either with the looper or with a failure. A looper that is ready after a failure is quit before it
 * loops.
 */
final class LooperStart implements Runnable {
    /** The interval at which the starting thread checks that the new thread is alive. */
    private static final long LOOK_EVERY_MILLIS = 50;

    private final LooperOptions options;
    private final CompletableFuture<Looper> made = new CompletableFuture<>();

    LooperStart(LooperOptions options) {
        this.options = options;
    }

    /** Creates the looper and loops. Called on the new thread. */
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

    /**
     * Starts the thread and waits for its looper. An interrupt does not end the wait; the interrupt flag is restored
     * afterwards.
     */
    Looper on(Thread thread) {
        try {
            thread.start();
        } catch (IllegalThreadStateException e) {
            throw givenUp("The factory started the thread; it must only create it: " + thread, e);
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

    /** Fails the start and makes sure that no loop runs: a loop that has already started is quit. */
    private IllegalStateException givenUp(String why, @Nullable Exception cause) {
        IllegalStateException failure = new IllegalStateException(why, cause);
        if (!made.completeExceptionally(failure)) {
            CompletableFuture<Void> unused = made.thenAccept(Looper::quit);
        }
        return failure;
    }
}
