package dev.unjank.bench.queue;

import dev.unjank.bench.contest.Crew;
import dev.unjank.bench.contest.Question;
import dev.unjank.bench.contest.Target;
import dev.unjank.bench.loop.Loop;
import dev.unjank.bench.loop.Peer;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long from post to run, when messages come as fast as the loop can run them? See {@link Burst}.
 *
 * <p>With more threads than processors the figure is the throughput of them all, and says little about how one post fares.
 */
final class PostToRun implements Question<Peer> {

    private static final int MESSAGES = 200_000;

    @Override
    public String name() {
        return "post-to-run";
    }

    @Override
    public String title() {
        return "post to run, ns per message";
    }

    @Override
    public List<Row> rows() {
        return Stream.of("1", "2", "4", "8")
                .map(number -> new Row(
                        number.equals("1") ? "1 producer" : number + " producers",
                        number,
                        0,
                        List.of(
                                Target.atMost(1, Peer.NETTY),
                                Target.atMost(1, Peer.FORK_JOIN),
                                Target.atMost(1.5, Peer.JCTOOLS))))
                .toList();
    }

    @Override
    public List<Peer> peers() {
        return Peer.available();
    }

    @Override
    public Subject open(Peer peer) {
        Loop loop = peer.open();
        Crew crew = new Crew();
        return producers -> new double[] {Burst.nanosPerMessage(crew, loop, Integer.parseInt(producers), MESSAGES)};
    }
}
