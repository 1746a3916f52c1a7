package dev.unjank.bench.queue;

import dev.unjank.bench.loop.Loop;
import dev.unjank.bench.loop.Peer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * How fast is a backlog of due timers run? Timers at random deadlines come due while the loop is held; the time runs from its
 * release to the last timer's run. Per timer. Whatever a queue has put off until its loop comes by, sorting above all, is in
 * the figure. So is waking the loop's thread, some 50 µs in all.
 *
 * <p>The fork-join pool is left out: a second thread keeps its timers and goes on while its worker is held. {@link
 * DrainTogether} has it. The monitor queue is given its timers latest first, since it would take minutes to sort a hundred
 * thousand; the list that it drains is the same.
 */
final class DrainHeldTimers implements Question {

    /** Deadlines lie in these milliseconds from now; the loop is held at least as long. */
    private static final long LONGEST_DELAY = 40;

    @Override
    public String name() {
        return "drain-held";
    }

    @Override
    public String title() {
        return "drain of timers due at random moments while the loop was held, ns per timer";
    }

    @Override
    public List<Row> rows() {
        return Drained.rows(List.of(Target.atMost(1, Peer.NETTY)));
    }

    @Override
    public List<Peer> peers() {
        return Peer.withTimers().stream().filter(peer -> peer != Peer.FORK_JOIN).toList();
    }

    @Override
    public Rounds rounds(boolean quick) {
        return quick ? new Rounds(1, 4, 5) : new Rounds(3, 5, 9);
    }

    @Override
    public Subject open(Peer peer) {
        SplittableRandom random = new SplittableRandom(1);
        return circumstance -> {
            int timers = Integer.parseInt(circumstance);
            long[] delays = random.longs(timers, 1, LONGEST_DELAY).toArray();
            if (peer == Peer.MONITOR) {
                Arrays.sort(delays);
                for (int i = 0; i < timers / 2; i++) {
                    long early = delays[i];
                    delays[i] = delays[timers - 1 - i];
                    delays[timers - 1 - i] = early;
                }
            }
            try (Loop loop = peer.open()) {
                CountDownLatch release = loop.hold();
                Drained drained = new Drained(timers);
                for (long delay : delays) {
                    loop.postDelayed(drained, delay);
                }
                Thread.sleep(LONGEST_DELAY);
                long start = System.nanoTime();
                release.countDown();
                return new double[] {(double) (drained.end() - start) / timers};
            }
        };
    }
}
