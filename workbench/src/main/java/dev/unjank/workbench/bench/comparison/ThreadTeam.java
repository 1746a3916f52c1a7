package dev.unjank.workbench.bench.comparison;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Threads that start a task at the same moment. They are reused. */
public final class ThreadTeam {
    public ThreadTeam() {}

    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "crew");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Runs a task on several threads, and returns when all have finished.
     *
     * @param work receives the thread's index, from 0
     * @return the times, on the clock of {@link System#nanoTime()}, at which the threads were released and the last one
     *     finished
     */
    public Span run(int number, IntConsumer work) throws InterruptedException {
        Gate gate = new Gate();
        CountDownLatch done = new CountDownLatch(number);
        long[] ends = new long[number];
        for (int i = 0; i < number; i++) {
            int me = i;
            threads.execute(() -> {
                try {
                    gate.pass();
                    work.accept(me);
                    ends[me] = System.nanoTime();
                } finally {
                    done.countDown();
                }
            });
        }
        long start = gate.open(number);
        done.await();
        long last = ends[0];
        for (long end : ends) {
            last = Math.max(last, end);
        }
        return new Span(start, last);
    }

    public record Span(long start, long end) {}

    /**
     * The barrier at which the threads wait for each other. They yield instead of sleeping, since a wake-up takes about
     * as long as the measured operations.
     */
    @SuppressWarnings("ThreadPriorityCheck") // with few CPUs, spinning would delay the other threads
    private static final class Gate {
        private final AtomicInteger waiting = new AtomicInteger();
        private volatile boolean open;

        void pass() {
            waiting.incrementAndGet();
            while (!open) {
                Thread.yield();
            }
        }

        long open(int number) {
            while (waiting.get() < number) {
                Thread.yield();
            }
            long now = System.nanoTime();
            open = true;
            return now;
        }
    }
}
