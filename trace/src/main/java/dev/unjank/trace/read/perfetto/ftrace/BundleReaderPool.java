package dev.unjank.trace.read.perfetto.ftrace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Threads that read stretches of bundles while more are found. Who finds them helps when there are no more. */
public final class BundleReaderPool {
    private final ArrayDeque<BundleRange> waiting = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Whether there are no more. */
    private boolean complete;

    private @Nullable Throwable failure;

    /** Gives out a stretch to be read by whoever is free. */
    synchronized void put(BundleRange stretch) {
        waiting.add(stretch);
        notifyAll();
    }

    /** Makes sure that there are so many threads beside the caller's. */
    void start(int count) {
        while (threads.size() < count) {
            Thread thread = new Thread(this::run, "trace-reader");
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** There are no more: helps, and waits until all have been read. What went wrong in a thread goes wrong here. */
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

    /** Leaves what has not been begun, and waits until nobody reads any more. */
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
                // Nobody else knows this thread; the caller's never waits here.
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

    /** Waits for the end of a thread, come what may. */
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
