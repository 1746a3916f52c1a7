package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.ThreadTeam;
import dev.unjank.workbench.bench.comparison.ThreadTeam.Span;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Measures a delayed post to a queue with many pending messages. Producers insert equal numbers of messages with random
 * deadlines into a new loop. The time from the start of the first to the end of the last insert is divided by the
 * number of inserts.
 *
 * <p>This is the posters' cost. A queue that sorts on the loop's thread pays there, concurrently on a second CPU or
 * else later; {@link DrainHeldTimers} shows that cost. Inserted messages stay, so "none pending" applies only to the
 * start. The monitor queue gets few messages, since each insert traverses the list and the list must not grow much.
 */
final class InsertAmongPending extends BenchmarkQuestion<Peer> {
    private static final int INSERTS = 20_000;
    private static final int INSERTS_INTO_A_LIST = 96;

    private static final double NETTY_LIMIT = 1.2;
    private static final double FLAT_LIMIT = 1.5;
    private static final double MONITOR_LIMIT = 1.0 / 5_000;

    private static List<Row> table() {
        List<Row> rows = new ArrayList<>();
        for (int pending : new int[] {0, 1_000, 100_000}) {
            for (int producers : new int[] {1, 2, 4, 8}) {
                List<BenchmarkTarget> targets = new ArrayList<>();
                targets.add(BenchmarkTarget.atMost(NETTY_LIMIT, Peer.NETTY));
                if (pending == 100_000) {
                    targets.add(BenchmarkTarget.atMostOwn(FLAT_LIMIT, "0 " + producers, "none pending"));
                    targets.add(BenchmarkTarget.atMost(MONITOR_LIMIT, Peer.MONITOR));
                }
                rows.add(new Row(
                        "%,d pending, %d prod.".formatted(pending, producers), pending + " " + producers, 0, targets));
            }
        }
        return rows;
    }

    InsertAmongPending() {
        super("insert", "insert at a random deadline, ns per insert", Peer.withTimers(), table());
    }

    @Override
    public Subject open(Peer peer) {
        ThreadTeam crew = new ThreadTeam();
        int inserts = peer == Peer.MONITOR ? INSERTS_INTO_A_LIST : INSERTS;
        SplittableRandom random = new SplittableRandom(1);
        return circumstance -> {
            String[] parts = circumstance.split(" ", -1);
            int producers = Integer.parseInt(parts[1]);
            long[][] delays = new long[producers][];
            for (int i = 0; i < producers; i++) {
                delays[i] = random.longs(inserts / producers, PendingTimers.EARLIEST, PendingTimers.LATEST)
                        .toArray();
            }
            try (MessageLoop loop = peer.open()) {
                PendingTimers.fill(loop, Integer.parseInt(parts[0]));
                Span span = crew.run(producers, i -> {
                    for (long delay : delays[i]) {
                        loop.postDelayed(MessageLoop.NOTHING, delay);
                    }
                });
                return new double[] {(double) (span.end() - span.start()) / inserts};
            }
        };
    }
}
