package dev.unjank.trace.build.tracker;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** A thread that does one piece of work after the other, some pieces behind whoever gives it work. */
final class SerialWorker extends Thread {
    /** Enough that neither waits for the other's hiccups, and little memory. */
    private static final int MAX_BEHIND = 16;

    private final BlockingQueue<Runnable> work = new ArrayBlockingQueue<>(MAX_BEHIND);
    private volatile @Nullable Throwable failure;

    /** Whether there is no more work; the thread's own. */
    private boolean ended;

    SerialWorker(String name) {
        super(name);
        setDaemon(true);
    }

    /** Gives it a piece of work, to be left undone if one before it fails; waits if it is too far behind. */
    void submit(Runnable piece) {
        putAnyway(() -> {
            if (failure == null) {
                piece.run();
            }
        });
    }

    /** There is no more work. */
    void close() {
        putAnyway(() -> ended = true);
    }

    private void putAnyway(Runnable piece) {
        boolean interrupted = false;
        while (true) {
            try {
                work.put(piece);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        while (!ended) {
            try {
                work.take().run();
            } catch (InterruptedException e) {
                // Nobody else knows this thread.
            } catch (Throwable e) {
                failure = e; // for await()
            }
        }
    }

    /** Waits until all work is done, after {@link #close}. What went wrong there goes wrong here. */
    void awaitTermination() {
        boolean interrupted = false;
        while (isAlive()) {
            try {
                join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }
}
