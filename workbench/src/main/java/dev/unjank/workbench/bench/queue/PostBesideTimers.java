package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;

/**
 * Measures the effect of pending timers on an immediate post: like {@link PostToRun} with one producer, on two loops of
 * one JVM, one without timers and one with a hundred thousand.
 */
final class PostBesideTimers extends BenchmarkQuestion<Peer> {
    private static final int MESSAGES = 100_000;

    private static final int PENDING = 100_000;
    private static final String NONE = "none";

    private static final double LIMIT = 1.2;

    PostBesideTimers() {
        super(
                "beside-timers",
                "post to run with pending timers, ns per message",
                Peer.withTimers(),
                List.of(
                        new Row("none pending", NONE, 0, List.of()),
                        new Row(
                                "100,000 pending",
                                "many",
                                0,
                                List.of(BenchmarkTarget.atMostOwn(LIMIT, NONE, "none pending")))));
    }

    @Override
    public Subject open(Peer peer) throws InterruptedException {
        ThreadTeam crew = new ThreadTeam();
        MessageLoop idle = peer.open();
        MessageLoop full = peer.open();
        PendingTimers.fill(full, PENDING);
        return pending -> {
            MessageLoop loop = pending.equals(NONE) ? idle : full;
            return new double[] {PostBurst.nanosPerMessage(crew, loop, 1, MESSAGES)};
        };
    }
}
