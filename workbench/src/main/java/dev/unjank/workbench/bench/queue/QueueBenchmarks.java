package dev.unjank.workbench.bench.queue;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.ComparisonBenchmark;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;

/** The benchmarks that compare the message queue with other queues. */
public final class QueueBenchmarks {
    /** The benchmarks, in the order of execution. */
    static final List<BenchmarkQuestion<Peer>> QUESTIONS = List.of(
            new PostToRun(),
            new InsertAmongPending(),
            new PostBesideTimers(),
            new DrainHeldTimers(),
            new DrainTogether(),
            new RemoveByCode(),
            new PostAndCancel(),
            new RetainedMemory(),
            new AllocatedBytes(),
            new ObservedDispatch(),
            new WakeLatency(),
            new ReadModifyWrites(),
            new UiUnderLoad());

    public static final ComparisonBenchmark CONTEST =
            new ComparisonBenchmark("queue", QueueBenchmarks.class, List.copyOf(QUESTIONS));

    private QueueBenchmarks() {}

    /** Runs in the JVM of one implementation. */
    public static void main(String[] args) throws Exception {
        CONTEST.serve(args);
    }
}
