package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.comparison.ThreadTeam.Span;
import dev.unjank.workbench.bench.locks.LockKind.Guard;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Measures the throughput of ordinary threads that contend for one lock. Each alternates between a short critical
 * section and a short computation outside. The figure is the time per critical section over all threads.
 */
final class LockThroughput extends BenchmarkQuestion<LockKind> {
    private static final int INSIDE = 20;
    private static final int OUTSIDE = 100;
    private static final int STRIDE = 16;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private long inside = 1;

    LockThroughput() {
        super(
                "throughput",
                "critical sections of ordinary threads, ns each, over all threads",
                LockKind.plain(),
                Stream.of("2", "4", "8")
                        .map(threads -> new Row(
                                threads + " threads",
                                threads,
                                0,
                                List.of(BenchmarkTarget.atMost(1.2, LockKind.UNFAIR))))
                        .toList());
    }

    @Override
    public Subject open(LockKind kind) {
        Guard guard = kind.open();
        ThreadTeam crew = new ThreadTeam();
        return threads -> {
            LongAdder sections = new LongAdder();
            Span span = crew.run(Integer.parseInt(threads), me -> {
                long outside = me;
                long end = System.nanoTime() + NANOS;
                while (System.nanoTime() - end < 0) {
                    for (int i = 0; i < STRIDE; i++) {
                        guard.run(this::compute);
                        outside = SpinWork.steps(outside, OUTSIDE);
                    }
                    sections.add(STRIDE);
                }
            });
            return new double[] {(double) (span.end() - span.start()) / sections.sum()};
        };
    }

    private void compute() {
        inside = SpinWork.steps(inside, INSIDE);
    }
}
