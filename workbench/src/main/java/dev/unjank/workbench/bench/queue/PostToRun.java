package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the time per message from post to run under saturation, see {@link PostBurst}.
 *
 * <p>With more threads than CPUs the figure is the total throughput, not the latency of one post.
 */
final class PostToRun extends BenchmarkQuestion<Peer> {
    private static final int MESSAGES = 200_000;

    PostToRun() {
        super(
                "post-to-run",
                "post to run, ns per message",
                Peer.available(),
                Stream.of("1", "2", "4", "8")
                        .map(number -> new Row(
                                number.equals("1") ? "1 producer" : number + " producers",
                                number,
                                0,
                                List.of(
                                        BenchmarkTarget.atMost(1, Peer.NETTY),
                                        BenchmarkTarget.atMost(1, Peer.FORK_JOIN),
                                        BenchmarkTarget.atMost(1.5, Peer.JCTOOLS))))
                        .toList());
    }

    @Override
    public Subject open(Peer peer) {
        MessageLoop loop = peer.open();
        ThreadTeam crew = new ThreadTeam();
        return producers -> new double[] {PostBurst.nanosPerMessage(crew, loop, Integer.parseInt(producers), MESSAGES)};
    }
}
