package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.locks.LockKind.Guard;
import dev.unjank.workbench.lab.program.DurationSamples;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures how much importance shortens a thread's waits, in the metrics that an Android vendor published for its
 * kernel's futexes. Published for VIP threads: longest wait 70 % shorter, 25 % fewer waits of more than 100 ms, 24 %
 * less total wait time; under heavy load 67 % shorter, 38 % fewer waits of more than 100 ms, 45 % fewer waits of more
 * than 200 ms, 21 % less total wait time. The load there is unknown. Here it is {@link ContendedLockLoad} with critical
 * sections of about a millisecond: with one computing thread per CPU, or, as heavy load, with owners of nice 10 and two
 * computing threads per CPU.
 *
 * <p>If neither side has such a long wait in a round, the ratio of the round is 0.
 */
final class PublishedFigures extends BenchmarkQuestion<LockKind> {
    private static final int INSIDE = 500_000;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int LOW = 10;
    private static final String LOADED = "loaded";
    private static final String HEAVY = "heavy";

    private static Row row(String label, String circumstance, int value, double limit) {
        return new Row(
                label,
                circumstance,
                value,
                List.of(BenchmarkTarget.atMost(limit, LockKind.UNFAIR).of(LockKind.VIP_LENDING)));
    }

    PublishedFigures() {
        super(
                "published",
                "waits of an important thread, against published reductions",
                List.of(
                        LockKind.VIP_ORDERING,
                        LockKind.VIP_LENDING,
                        LockKind.VIP_REAL_TIME,
                        LockKind.UNFAIR,
                        LockKind.MONITOR),
                List.of(
                        row("loaded, longest ms (-70 %)", LOADED, 0, 0.30),
                        row("loaded, over 100 ms (-25 %)", LOADED, 1, 0.75),
                        row("loaded, % of time (-24 %)", LOADED, 3, 0.76),
                        row("heavy, longest ms (-67 %)", HEAVY, 0, 0.33),
                        row("heavy, over 100 ms (-38 %)", HEAVY, 1, 0.62),
                        row("heavy, over 200 ms (-45 %)", HEAVY, 2, 0.55),
                        row("heavy, % of time (-21 %)", HEAVY, 3, 0.79)),
                new Rounds(1, 1, 9),
                new Rounds(1, 0, 3));
    }

    @Override
    public Subject open(LockKind kind) {
        Guard lock = kind.open();
        return circumstance -> {
            boolean isHeavy = circumstance.equals(HEAVY);
            DurationSamples waits =
                    new ContendedLockLoad(INSIDE, isHeavy ? LOW : 0, isHeavy ? 2 : 1).run(kind, lock, NANOS);
            return new double[] {
                (double) waits.longest() / MILLI,
                waits.between(100 * MILLI + 1, Long.MAX_VALUE),
                waits.between(200 * MILLI + 1, Long.MAX_VALUE),
                100.0 * waits.total() / NANOS
            };
        };
    }
}
