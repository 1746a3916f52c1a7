package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Measures how fast a backlog of due timers is run. Timers with random deadlines become due while the loop is blocked;
 * the time from its release to the last timer's run is divided by the number of timers. The figure includes deferred
 * work of the queue, especially sorting, and the wake-up of the loop's thread, about 50 µs in total.
 *
 * <p>The fork-join pool is excluded: a second thread keeps its timers and continues while its worker is blocked. {@link
 * DrainTogether} includes it. The monitor queue gets its timers in descending order, since sorting a hundred thousand
 * would take minutes. It drains the same list.
 */
final class DrainHeldTimers extends BenchmarkQuestion<Peer> {
    private static final long SPAN_MILLIS = 40;

    DrainHeldTimers() {
        super(
                "drain-held",
                "drain of timers that became due at random times while the loop was blocked, ns per timer",
                Peer.withTimers().stream()
                        .filter(peer -> peer != Peer.FORK_JOIN)
                        .toList(),
                DrainCounter.rows(List.of(BenchmarkTarget.atMost(1, Peer.NETTY))),
                new Rounds(3, 5, 9),
                new Rounds(1, 4, 5));
    }

    @Override
    public Subject open(Peer peer) {
        SplittableRandom random = new SplittableRandom(1);
        return circumstance -> {
            int timers = Integer.parseInt(circumstance);
            try (MessageLoop loop = peer.open()) {
                CountDownLatch release = loop.hold();
                DrainCounter drained = new DrainCounter(timers);
                long first = DrainCounter.soon(timers);
                for (long millis : deadlines(peer, timers, random)) {
                    loop.postAt(drained, first + TimeUnit.MILLISECONDS.toNanos(millis));
                }
                long last = first + TimeUnit.MILLISECONDS.toNanos(SPAN_MILLIS);
                TimeUnit.NANOSECONDS.sleep(last - System.nanoTime());
                long start = System.nanoTime();
                release.countDown();
                return new double[] {(double) (drained.end() - start) / timers};
            }
        };
    }

    private static long[] deadlines(Peer peer, int timers, SplittableRandom random) {
        LongStream millis = random.longs(timers, 0, SPAN_MILLIS);
        if (peer == Peer.MONITOR) {
            millis = millis.map(m -> -m).sorted().map(m -> -m);
        }
        return millis.toArray();
    }
}
