package dev.unjank.trace.read.perfetto.ftrace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Threads that read ranges of bundles while further ranges are found. The thread that finds them helps at the end. */
public final class BundleReaderPool {
    private final ArrayDeque<BundleRange> waiting = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Whether all ranges have been added. */
    private boolean complete;

    private @Nullable Throwable failure;

    /** Adds a range, to be read by a free thread. */
    synchronized void put(BundleRange stretch) {
        waiting.add(stretch);
        notifyAll();
    }

    /** Starts threads until there are {@code count} besides the caller's. */
    void start(int count) {
        while (threads.size() < count) {
            Thread thread = new Thread(this::run, "trace-reader");
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** Ends the queue: helps, and waits until all ranges have been read. Rethrows the failure of a thread. */
    void finish() {
        complete();
        run();
        await();
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    /** Drops the remaining ranges, and waits until no thread reads. */
    void stop() {
        abandon(null);
        await();
    }

    private void run() {
        byte[] buffer = new byte[1 << 16];
        try {
            for (BundleRange next = take(); next != null; next = take()) {
                buffer = next.read(buffer);
            }
        } catch (Throwable e) {
            abandon(e); // for finish()
        }
    }

    private synchronized @Nullable BundleRange take() {
        while (waiting.isEmpty() && !complete) {
            try {
                wait();
            } catch (InterruptedException e) {
                // This thread is private to the class; the caller's never waits here.
            }
        }
        return waiting.poll();
    }

    private synchronized void complete() {
        complete = true;
        notifyAll();
    }

    private synchronized void abandon(@Nullable Throwable why) {
        failure = failure == null ? why : failure;
        waiting.clear();
        complete();
    }

    private void await() {
        threads.forEach(BundleReaderPool::await);
    }

    /** Waits for the end of a thread, ignoring interrupts. */
    public static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
