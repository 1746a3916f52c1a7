package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The beginning of a loop on a thread that a factory has made: what that thread is to run, and the wait of the one who
 * starts it for the looper. Either the looper is handed over or the start has failed, whichever is decided first; a looper
 * that comes too late is quit before it loops.
 */
final class LooperStart implements Runnable {
    /** How often whoever waits looks whether the thread is still there. */
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

    /** Starts the thread and waits for its looper; an interrupt does not end the wait and is not lost. */
    Looper on(Thread thread) {
        try {
            thread.start();
        } catch (IllegalThreadStateException e) {
            throw givenUp("The factory has started the thread that it has made, which is not its task: " + thread, e);
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
                                "The thread has ended without running what the factory was given: " + thread, null);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sees to it that there will be no loop, or that it ends if there is one already. */
    private IllegalStateException givenUp(String why, @Nullable Exception cause) {
        IllegalStateException failure = new IllegalStateException(why, cause);
        if (!made.completeExceptionally(failure)) {
            CompletableFuture<Void> unused = made.thenAccept(Looper::quit);
        }
        return failure;
    }
}
