package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.LoadProfile;
import dev.unjank.cli.demo.load.LoopUnderLoad;
import dev.unjank.cli.demo.load.LoopUnderLoadResult;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;

/**
 * Measures a UI loop under the load of {@code unjank demo}, threads that compute continuously and low-priority posters.
 * Two figures: the completed ticks of the 60 that are due per second; and the 99.9th percentile of the duration of a
 * post.
 *
 * <p>The posters follow a schedule and catch up after a delay, so that a stall cannot hide by delaying the posts; they
 * time only the call itself. With nice 19 they are preempted within calls, which a queue cannot prevent: an
 * implementation with shorter calls is affected less often. The percentile therefore varies by orders of magnitude
 * between rounds, and its target is the least certain.
 */
final class UiUnderLoad extends BenchmarkQuestion<Peer> {
    private static final double TICKS_LIMIT = 0.98;

    private static List<Row> table() {
        List<Peer> others = Peer.withTimers().stream()
                .filter(peer -> peer != Peer.LOCK_FREE)
                .toList();
        return List.of(
                new Row("ticks per second", "load", 0, List.of(BenchmarkTarget.atLeastBest(TICKS_LIMIT, others))),
                new Row("post(), 99.9 %, µs", "load", 1, List.of(BenchmarkTarget.atMostBest(1, others))));
    }

    UiUnderLoad() {
        super(
                "ui",
                "a UI loop with 3 hogs per CPU and 3 nice-19 producers, 3,000 pending",
                Peer.withTimers(),
                table(),
                new Rounds(1, 1, 9),
                new Rounds(1, 0, 5));
    }

    @Override
    public Subject open(Peer peer) {
        LoadProfile load = LoadProfile.forProcessors(Runtime.getRuntime().availableProcessors());
        int seconds = 3;
        return circumstance -> {
            LoopUnderLoadResult result = new LoopUnderLoad(peer::open, load, seconds).run((second, ticks) -> true);
            return new double[] {(double) result.ticks().completed() / seconds, result.postP999() / 1e3};
        };
    }
}
