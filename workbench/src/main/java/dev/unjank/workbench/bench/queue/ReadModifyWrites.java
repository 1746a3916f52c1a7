package dev.unjank.workbench.bench.queue;

import dev.unjank.looper.QueueKind;
import dev.unjank.proof.steps.PostCost;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;

/**
 * Counts the atomic read-modify-writes on shared memory of a post to a running loop, in the looper's bytecode ({@link
 * PostCost}), so the result is deterministic. Entering a monitor counts as one, although leaving it may add another.
 * Other implementations are not instrumented.
 */
final class ReadModifyWrites extends BenchmarkQuestion<Peer> {
    ReadModifyWrites() {
        super(
                "rmw",
                "read-modify-writes on shared memory per post in the steady state (for the monitor: its lock)",
                List.of(Peer.LOCK_FREE, Peer.MONITOR),
                List.of(new Row("post(Runnable)", "post", 0, List.of(BenchmarkTarget.atMost(1, "")))),
                new Rounds(1, 0, 1),
                new Rounds(1, 0, 1));
    }

    @Override
    public Subject open(Peer peer) {
        QueueKind kind = peer == Peer.MONITOR ? QueueKind.MONITOR : QueueKind.LOCK_FREE;
        return circumstance -> {
            PostCost cost = PostCost.steady(kind);
            return new double[] {cost.readModifyWrites() + cost.monitors()};
        };
    }
}
