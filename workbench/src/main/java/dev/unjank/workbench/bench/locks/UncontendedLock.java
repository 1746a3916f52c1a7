package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.locks.LockKind.Guard;
import java.util.List;

/** The cost of taking and releasing a lock without contention. Inside, a counter is increased. */
final class UncontendedLock extends BenchmarkQuestion<LockKind> {
    private static final int TIMES = 2_000_000;

    private long counter;

    UncontendedLock() {
        super(
                "uncontended",
                "lock and unlock, uncontended, ns",
                LockKind.plain(),
                List.of(new Row("one thread", BenchmarkTarget.atMost(1.3, LockKind.UNFAIR))));
    }

    @Override
    public Subject open(LockKind kind) {
        Guard guard = kind.open();
        return _ -> {
            counter = 0;
            long start = System.nanoTime();
            for (int i = 0; i < TIMES; i++) {
                guard.run(this::count);
            }
            double nanos = (double) (System.nanoTime() - start) / TIMES;
            if (counter != TIMES) {
                throw new AssertionError("counted " + counter);
            }
            return new double[] {nanos};
        };
    }

    private void count() {
        counter++;
    }
}
