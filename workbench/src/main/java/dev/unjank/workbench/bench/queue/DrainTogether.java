package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;

/**
 * How fast are timers run that come due all at the same moment, while the loop sleeps? The time runs from that moment to the
 * last timer's run, per timer; so the operating system's delay in waking a thread, some 100 µs, is in it for every peer, and
 * twice for the fork-join pool, whose timers wake one thread and that another. The moment is a whole millisecond, since some
 * know no less.
 *
 * <p>The monitor queue is left out: each of these timers would walk past all that were set before.
 */
final class DrainTogether extends BenchmarkQuestion<Peer> {
    /** The loop is to sleep before the timers come due; if setting them took too long for that, the turn is repeated. */
    private static final long DOZE_NANOS = 1_000_000;

    DrainTogether() {
        super(
                "drain-together",
                "drain of timers that come due together, ns per timer",
                Peer.withTimers().stream().filter(peer -> peer != Peer.MONITOR).toList(),
                DrainCounter.rows(
                        List.of(BenchmarkTarget.atMost(1, Peer.NETTY), BenchmarkTarget.atMost(1, Peer.FORK_JOIN))),
                new Rounds(3, 5, 9),
                new Rounds(1, 4, 5));
    }

    @Override
    public Subject open(Peer peer) {
        return circumstance -> {
            int timers = Integer.parseInt(circumstance);
            for (int patience = 1; ; patience *= 2) {
                try (MessageLoop loop = peer.open()) {
                    DrainCounter drained = new DrainCounter(timers);
                    long due = DrainCounter.soon(timers * patience);
                    for (int i = 0; i < timers; i++) {
                        loop.postAt(drained, due);
                    }
                    boolean allWait = due - System.nanoTime() > DOZE_NANOS;
                    long end = drained.end();
                    if (allWait) {
                        return new double[] {(double) (end - due) / timers};
                    }
                }
            }
        };
    }
}
