package dev.unjank.bench.queue;

import dev.unjank.bench.loop.Peer;
import java.util.List;

/** How many atomic read-modify-writes on shared memory does a post make in the steady state? Not measured yet. */
final class ReadModifyWrites implements Question {

    @Override
    public String name() {
        return "rmw";
    }

    @Override
    public String title() {
        return "read-modify-writes on shared memory per post in the steady state";
    }

    @Override
    public List<Row> rows() {
        return List.of(new Row("post(Runnable)", "post", 0, List.of(Target.atMost(1, ""))));
    }

    @Override
    public List<Peer> peers() {
        return List.of(Peer.LOCK_FREE);
    }

    @Override
    public Rounds rounds(boolean quick) {
        return new Rounds(1, 0, 1);
    }

    @Override
    public Subject open(Peer peer) {
        return circumstance -> new double[] {Double.NaN};
    }
}
