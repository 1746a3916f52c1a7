package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.locks.LockKind.Guard;
import dev.unjank.workbench.lab.program.DurationSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Measures the wait of an important thread for a lock that nine ordinary threads contend for ({@link
 * ContendedLockLoad}): with and without computing threads, and each with low-priority owners, too.
 */
final class VipWait extends BenchmarkQuestion<LockKind> {
    private static final double FIFTH = 0.2;
    private static final int INSIDE = 50_000;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final int LOW = 10;

    private static final String CALM = "no hogs";
    private static final String HOGS = "hogs";

    private static final Map<String, ContendedLockLoad> CROWDS = Map.of(
            CALM,
            new ContendedLockLoad(INSIDE, 0, 0),
            HOGS,
            new ContendedLockLoad(INSIDE, 0, 1),
            "nice 10",
            new ContendedLockLoad(INSIDE, LOW, 0),
            "nice 10, hogs",
            new ContendedLockLoad(INSIDE, LOW, 1));

    private static List<Row> table() {
        List<Row> rows = new ArrayList<>();
        for (String circumstance : List.of(CALM, "nice 10", HOGS, "nice 10, hogs")) {
            LockKind subject = circumstance.endsWith(HOGS) && !circumstance.equals(CALM)
                    ? LockKind.VIP_LENDING
                    : LockKind.VIP_ORDERING;
            List<BenchmarkTarget> targets =
                    List.of(BenchmarkTarget.atMost(FIFTH, LockKind.UNFAIR).of(subject));
            rows.add(new Row(circumstance + ", mean", circumstance, 0, targets));
            rows.add(new Row(circumstance + ", 99 %", circumstance, 1, targets));
            rows.add(new Row(circumstance + ", longest", circumstance, 2, List.of()));
        }
        return rows;
    }

    VipWait() {
        super(
                "vip-wait",
                "wait of an important thread among 9 ordinary ones, microseconds",
                List.of(LockKind.values()),
                table(),
                new Rounds(3, 1, 9),
                new Rounds(1, 1, 5));
    }

    @Override
    public Subject open(LockKind kind) {
        Guard lock = kind.open();
        return circumstance -> {
            ContendedLockLoad crowd = Objects.requireNonNull(CROWDS.get(circumstance));
            DurationSamples waits = crowd.run(kind, lock, NANOS);
            return new double[] {waits.mean() / 1e3, waits.quantile(0.99) / 1e3, waits.longest() / 1e3};
        };
    }
}
