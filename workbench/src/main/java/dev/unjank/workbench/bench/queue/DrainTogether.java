package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;

/**
 * Measures how fast timers are run that become due at the same time while the loop sleeps. The time from that deadline
 * to the last timer's run is divided by the number of timers. It includes the operating system's wake-up latency, about
 * 100 µs, once per implementation, and twice for the fork-join pool, whose timers wake one thread that wakes another.
 * The deadline is a whole millisecond, the finest resolution of some implementations.
 *
 * <p>The monitor queue is excluded: inserting each of these timers would traverse all earlier ones.
 */
final class DrainTogether extends BenchmarkQuestion<Peer> {
    /**
     * The time for the loop to fall asleep before the timers are due; if setting them takes too long, the measurement
     * is repeated.
     */
    private static final long DOZE_NANOS = 1_000_000;

    DrainTogether() {
        super(
                "drain-together",
                "drain of timers that become due together, ns per timer",
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
