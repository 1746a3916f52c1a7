package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.LoadProfile;
import dev.unjank.cli.demo.load.LoopUnderLoad;
import dev.unjank.cli.demo.load.LoopUnderLoadResult;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;

/**
 * How does a UI loop fare beside threads that compute without end and low-priority posters, the load of {@code unjank demo}? Two
 * figures: the ticks that it makes, of 60 that are due each second; and the 99.9th percentile of a post's duration.
 *
 * <p>The posters keep to a schedule and catch up when they were kept from running, so that a stall does not hide itself by
 * keeping them from posting; what they measure is the call alone. With priority 19 they lose their processor in the middle of
 * calls, which no queue can help: a peer with the shorter call is hit less often. That makes the percentile jump between rounds
 * by orders of magnitude, and its target the least certain of all.
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
                "a UI loop beside 3 hogs per processor and 3 nice-19 producers, 3,000 pending",
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
