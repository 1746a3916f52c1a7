package dev.unjank.trace.concurrent;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of tasks for an executor: they start in order, a limited number at a time. A caller that waits runs waiting
 * tasks itself, so it never depends on a free thread. With a direct executor ({@code Runnable::run}) each task has
 * ended when {@link #add} returns.
 *
 * <p>After the failure of a task the waiting ones are dropped, and {@link #await} rethrows the failure. Tasks are
 * added and awaited by one thread.
 */
public final class TaskQueue {
    private final Executor executor;
    private final int maxRunning;
    private final int maxWaiting;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    /** The number of calls of {@link #work} that were passed to the executor and have not ended. */
    private int workers;

    private int running;
    private long ended;
    private @Nullable Throwable failure;

    /**
     * Creates an empty queue.
     *
     * @param maxRunning the maximum number of tasks that run at a time; with 1 they run in order
     * @param maxWaiting the maximum number of tasks that wait; {@link #add} helps or waits while there are more
     */
    public TaskQueue(Executor executor, int maxRunning, int maxWaiting) {
        this.executor = executor;
        this.maxRunning = maxRunning;
        this.maxWaiting = maxWaiting;
    }

    /** Whether an executor runs tasks on the calling thread, so that nothing is gained by dividing work for it. */
    public static boolean isDirect(Executor executor) {
        Thread[] ranOn = new Thread[1];
        executor.execute(() -> ranOn[0] = Thread.currentThread());
        return ranOn[0] == Thread.currentThread();
    }

    /** Calls an action for each number from 0 to {@code count - 1}, in no particular order, and waits for the end. */
    public static void forEach(Executor executor, int count, IntConsumer action) {
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), count);
        AtomicInteger next = new AtomicInteger();
        TaskQueue queue = new TaskQueue(executor, threads, threads);
        for (int i = 0; i < threads; i++) {
            queue.add(() -> {
                for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                    action.accept(number);
                }
            });
        }
        queue.await();
    }

    public void add(Runnable task) {
        if (enqueue(task)) {
            executor.execute(this::work);
        }
        while (isTooFarBehind()) {
            help();
        }
    }

    /** Waits for the end of all tasks. Rethrows the failure of a task. */
    public void await() {
        helpUntilEnd();
        rethrow();
    }

    /** Drops the waiting tasks, and waits for the end of the running ones. */
    public void stop() {
        drop();
        helpUntilEnd();
    }

    private void helpUntilEnd() {
        boolean isBusy = true;
        while (isBusy) {
            isBusy = help();
        }
    }

    /** Runs the next task, or waits for the end of a running one; returns false if there is neither. */
    public boolean help() {
        Runnable task = take();
        if (task != null) {
            run(task);
            return true;
        }
        return awaitOne();
    }

    private void work() {
        for (Runnable task = takeOrEnd(); task != null; task = takeOrEnd()) {
            run(task);
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            fail(e); // for await()
        } finally {
            end();
        }
    }

    /** Adds a task, unless one has failed; returns whether a further worker is needed. */
    private synchronized boolean enqueue(Runnable task) {
        if (failure != null) {
            return false;
        }
        waiting.add(task);
        boolean isNeeded = workers < maxRunning;
        workers += isNeeded ? 1 : 0;
        return isNeeded;
    }

    private synchronized boolean isTooFarBehind() {
        return waiting.size() > maxWaiting;
    }

    private synchronized @Nullable Runnable take() {
        if (running == maxRunning || waiting.isEmpty()) {
            return null;
        }
        running++;
        return waiting.poll();
    }

    private synchronized @Nullable Runnable takeOrEnd() {
        Runnable task = take();
        workers -= task == null ? 1 : 0;
        return task;
    }

    private synchronized void end() {
        running--;
        ended++;
        notifyAll();
    }

    private synchronized void fail(Throwable e) {
        failure = failure == null ? e : failure;
        waiting.clear();
    }

    private synchronized void drop() {
        waiting.clear();
    }

    /** Waits for the end of a running task, ignoring interrupts; returns false if none runs. */
    private synchronized boolean awaitOne() {
        boolean interrupted = false;
        long before = ended;
        boolean isRunning = running > 0;
        while (running > 0 && ended == before) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return isRunning;
    }

    private synchronized void rethrow() {
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }
}
