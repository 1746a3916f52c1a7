package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.ComparisonBenchmark;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

public final class LockBenchmarks {
    /** The questions, in the order in which they are put. */
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

    /** Held, so that it keeps its level: that a tier is in force is said by the tables, once for all Java VMs. */
    private static final Logger LOG = Logger.getLogger("dev.unjank.locks");

    static {
        LOG.setLevel(Level.WARNING);
    }

    private LockBenchmarks() {}

    /** What runs in the Java VM of one lock. */
    public static void main(String[] args) throws Exception {
        CONTEST.serve(args);
    }
}
