package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.locks.LockKind.Guard;
import dev.unjank.workbench.lab.program.DurationSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures the longest wait of an ordinary thread while important ones contend continuously. Four important threads
 * hold the lock for about 0.2 ms and reacquire it at once; two ordinary threads contend with them. A VipLock prefers an
 * ordinary waiter after 50 ms.
 */
final class Starvation extends BenchmarkQuestion<LockKind> {
    private static final int IMPORTANT = 4;
    private static final int ORDINARY = 2;
    private static final double BOUND_MILLIS = 50;
    private static final double MORE = 1.2;
    private static final int INSIDE = 100_000;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    Starvation() {
        super(
                "starvation",
                "longest wait of 2 ordinary threads that contend with 4 important ones, ms",
                List.of(LockKind.VIP_ORDERING, LockKind.VIP_LENDING, LockKind.UNFAIR, LockKind.FAIR, LockKind.MONITOR),
                List.of(new Row("4 that never rest", BenchmarkTarget.atMost(BOUND_MILLIS * MORE, " ms"))),
                new Rounds(1, 1, 9),
                new Rounds(1, 1, 3));
    }

    @Override
    public Subject open(LockKind kind) {
        Guard lock = kind.open();
        return _ -> {
            long end = System.nanoTime() + NANOS;
            List<Thread> threads = new ArrayList<>();
            List<DurationSamples> ordinary = new ArrayList<>();
            for (int i = 0; i < IMPORTANT; i++) {
                threads.add(Thread.ofPlatform()
                        .start(() -> kind.asImportant(() -> repeat(lock, end, new DurationSamples()))));
            }
            for (int i = 0; i < ORDINARY; i++) {
                DurationSamples waits = new DurationSamples();
                ordinary.add(waits);
                threads.add(Thread.ofPlatform().start(() -> repeat(lock, end, waits)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return new double[] {
                ordinary.stream().mapToLong(DurationSamples::longest).max().orElseThrow() / 1e6
            };
        };
    }

    private static void repeat(Guard lock, long end, DurationSamples waits) {
        long[] state = {1};
        while (System.nanoTime() - end < 0) {
            long began = System.nanoTime();
            lock.run(() -> {
                waits.add(System.nanoTime() - began);
                state[0] = SpinWork.steps(state[0], INSIDE);
            });
        }
    }
}
