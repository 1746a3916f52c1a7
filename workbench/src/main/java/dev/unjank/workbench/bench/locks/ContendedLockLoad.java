package dev.unjank.workbench.bench.locks;

import dev.unjank.cli.demo.load.BusyThreads;
import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.workbench.bench.locks.LockKind.Guard;
import dev.unjank.workbench.lab.program.DurationSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A contended lock: an important thread acquires it at a steady rate, and nine ordinary threads acquire it
 * continuously, so that it always has an owner and waiters. Optionally, other threads compute without the lock.
 *
 * @param inside the steps of {@link SpinWork} of an ordinary thread's critical section
 * @param hogsPerProcessor the number of computing threads per CPU
 */
record ContendedLockLoad(int inside, int owners, int hogsPerProcessor) {
    private static final int ORDINARY = 9;
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
    private static final int INSIDE_BY_VIP = 10_000;
    private static final int OUTSIDE = 50_000;

    /** Runs the threads; returns the wait times of the important one. */
    DurationSamples run(LockKind kind, Guard lock, long nanos) throws InterruptedException {
        DurationSamples waits = new DurationSamples();
        List<Thread> threads = new ArrayList<>();
        try (BusyThreads _ =
                BusyThreads.start(hogsPerProcessor * Runtime.getRuntime().availableProcessors())) {
            long end = System.nanoTime() + nanos;
            for (int i = 0; i < ORDINARY; i++) {
                threads.add(Thread.ofPlatform().name("ordinary-" + i).start(() -> beOrdinary(lock, end)));
            }
            threads.add(Thread.ofPlatform()
                    .name("important")
                    .start(() -> kind.asImportant(() -> beImportant(lock, end, waits))));
            for (Thread thread : threads) {
                thread.join();
            }
        }
        return waits;
    }

    private void beOrdinary(Guard lock, long end) {
        if (owners != 0) {
            Niceness.setCurrentThread(owners);
        }
        long[] state = {1};
        while (System.nanoTime() - end < 0) {
            lock.run(() -> state[0] = SpinWork.steps(state[0], inside));
            state[0] = SpinWork.steps(state[0], OUTSIDE);
        }
    }

    /** Acquires the lock at fixed times, independently of its release; at least once. */
    private static void beImportant(Guard lock, long end, DurationSamples waits) {
        SplittableRandom random = new SplittableRandom(1);
        long[] state = {1};
        do {
            LockSupport.parkNanos(random.nextLong(EVERY_NANOS / 2, EVERY_NANOS * 3 / 2));
            long began = System.nanoTime();
            lock.run(() -> {
                waits.add(System.nanoTime() - began);
                state[0] = SpinWork.steps(state[0], INSIDE_BY_VIP);
            });
        } while (System.nanoTime() - end < 0);
    }
}
