package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.ComparisonBenchmark;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

public final class LockBenchmarks {
    /** The benchmarks, in the order of execution. */
    public static final ComparisonBenchmark CONTEST = new ComparisonBenchmark(
            "locks",
            LockBenchmarks.class,
            List.of(
                    new UncontendedLock(),
                    new LockThroughput(),
                    new VipWait(),
                    new PublishedFigures(),
                    new Starvation(),
                    new PriorityInheritance(),
                    new HandoffRoundTrip()));

    /** A strong reference, so that the logger keeps its level; the tables report the active tier once for all JVMs. */
    private static final Logger LOG = Logger.getLogger("dev.unjank.locks");

    static {
        LOG.setLevel(Level.WARNING);
    }

    private LockBenchmarks() {}

    /** Runs in the JVM of one lock. */
    public static void main(String[] args) throws Exception {
        CONTEST.serve(args);
    }
}
