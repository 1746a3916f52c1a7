package dev.unjank.trace.build.tracker;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** A thread that runs tasks in order, a few tasks behind the producer. */
final class SerialWorker extends Thread {
    /** Enough to decouple both threads, with little memory. */
    private static final int MAX_BEHIND = 16;

    private final BlockingQueue<Runnable> work = new ArrayBlockingQueue<>(MAX_BEHIND);
    private volatile @Nullable Throwable failure;

    /** Whether there are no more tasks; used by this thread only. */
    private boolean ended;

    SerialWorker(String name) {
        super(name);
        setDaemon(true);
    }

    /** Adds a task; it is skipped if an earlier one failed. Blocks while the worker is too far behind. */
    void submit(Runnable piece) {
        putAnyway(() -> {
            if (failure == null) {
                piece.run();
            }
        });
    }

    /** Ends the worker after the last task. */
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
                // This thread is private to the class.
            } catch (Throwable e) {
                failure = e; // for awaitTermination()
            }
        }
    }

    /** Waits until all tasks are done, after {@link #close}. Rethrows the failure of a task. */
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
