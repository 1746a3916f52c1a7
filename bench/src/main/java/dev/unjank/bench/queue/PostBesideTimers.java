package dev.unjank.bench.queue;

import dev.unjank.bench.contest.Crew;
import dev.unjank.bench.contest.Question;
import dev.unjank.bench.contest.Target;
import dev.unjank.bench.loop.Loop;
import dev.unjank.bench.loop.Peer;
import java.util.List;

/**
 * Does an immediate post pay for the timers that wait? As {@link PostToRun} with one producer, on two loops of one Java VM: one
 * without timers, one beside a hundred thousand.
 */
final class PostBesideTimers implements Question<Peer> {

    private static final int MESSAGES = 100_000;

    private static final int PENDING = 100_000;
    private static final String NONE = "none";

    private static final double LIMIT = 1.2;

    @Override
    public String name() {
        return "beside-timers";
    }

    @Override
    public String title() {
        return "an immediate post and its run beside pending timers, ns per message";
    }

    @Override
    public List<Row> rows() {
        return List.of(
                new Row("none pending", NONE, 0, List.of()),
                new Row("100,000 pending", "many", 0, List.of(Target.atMostOwn(LIMIT, NONE, "none pending"))));
    }

    @Override
    public List<Peer> peers() {
        return Peer.withTimers();
    }

    @Override
    public Subject open(Peer peer) throws InterruptedException {
        Crew crew = new Crew();
        Loop idle = peer.open();
        Loop full = peer.open();
        Backlog.fill(full, PENDING);
        return pending -> {
            Loop loop = pending.equals(NONE) ? idle : full;
            return new double[] {Burst.nanosPerMessage(crew, loop, 1, MESSAGES)};
        };
    }
}
