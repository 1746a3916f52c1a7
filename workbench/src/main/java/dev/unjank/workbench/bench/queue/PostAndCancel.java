package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.TimedLoop;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures a timeout that never fires. While the loop sleeps, one thread repeatedly sets a timeout and cancels it; the
 * figure is per pair. It includes wake-ups, and the cost of cancelled messages that stay in the queue while the loop
 * sleeps. If the figure grows with the number of pairs, they do stay.
 *
 * <p>One timer stays and is due first, so that a timeout never becomes the head, which would legitimately wake the
 * loop. Small numbers of pairs take a few microseconds, so they are measured repeatedly, each time after the loop has
 * fallen asleep; the thread spins meanwhile and keeps its caches warm. A very slow implementation is stopped early: its
 * figure is then based on fewer pairs, and too low.
 */
final class PostAndCancel extends BenchmarkQuestion<Peer> {
    private static final int FEW = 100;
    private static final int SOME = 10_000;
    private static final int MANY = 1_000_000;

    private static final long STAYING_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final long TIMEOUT_MILLIS = TimeUnit.MINUTES.toMillis(6);
    private static final long ASLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final double FLAT_LIMIT = 1.5;

    private static List<Row> table() {
        BenchmarkTarget pool = BenchmarkTarget.atMost(1, Peer.SCHEDULED_POOL);
        return List.of(
                new Row("100 pairs", String.valueOf(FEW), 0, List.of(pool)),
                new Row("10,000 pairs", String.valueOf(SOME), 0, List.of(pool, flatTo(FEW, "100 pairs"))),
                new Row(
                        "1,000,000 pairs",
                        String.valueOf(MANY),
                        0,
                        List.of(pool, flatTo(FEW, "100 pairs"), flatTo(SOME, "10,000 pairs"))));
    }

    private static BenchmarkTarget flatTo(int pairs, String words) {
        return BenchmarkTarget.atMostOwn(FLAT_LIMIT, String.valueOf(pairs), words);
    }

    PostAndCancel() {
        super("cancel", "post a timeout and cancel it while the loop sleeps, ns per pair", Peer.withTimers(), table());
    }

    @Override
    public Subject open(Peer peer) {
        return circumstance -> {
            int pairs = Integer.parseInt(circumstance);
            int times = Math.max(1, SOME / pairs);
            try (MessageLoop loop = peer.open()) {
                loop.postDelayed(MessageLoop.NOTHING, STAYING_MILLIS);
                double sum = 0;
                for (int i = 0; i < times; i++) {
                    loop.settle();
                    spin(ASLEEP_NANOS);
                    sum += new TimedLoop(pairs, MOST_NANOS)
                            .nanosEach(pair -> loop.cancel(loop.postDelayed(MessageLoop.NOTHING, TIMEOUT_MILLIS)));
                }
                return new double[] {sum / times};
            }
        };
    }

    private static void spin(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }
}
