package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.TimedLoop;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;

/**
 * Measures the removal of one of a hundred thousand messages by handler and code. Each message has a unique code.
 * Random messages are removed one by one, by another thread while the loop sleeps or by the loop itself; the figure is
 * per removal.
 *
 * <p>The reference is the monitor queue, whose removal traverses all messages. The other implementations do not have
 * codes; their figure is the cancellation of the future, which users would have to keep, and the targets do not refer
 * to it. Afterwards the removed messages are sent again and taken in by the loop, which is not timed.
 */
final class RemoveByCode extends BenchmarkQuestion<Peer> {
    private static final int PENDING = 100_000;
    private static final int REMOVALS = 2_000;
    private static final long MOST_NANOS = 100_000_000;

    private static final double NANOS_LIMIT = 2_000;
    private static final double WALK_LIMIT = 1.0 / 500;

    private static final String ON_LOOP = "loop";

    private static List<Row> table() {
        List<BenchmarkTarget> targets =
                List.of(BenchmarkTarget.atMost(NANOS_LIMIT, " ns"), BenchmarkTarget.atMost(WALK_LIMIT, Peer.MONITOR));
        return List.of(
                new Row("from another thread", "other", 0, targets), new Row("from the loop", ON_LOOP, 0, targets));
    }

    RemoveByCode() {
        super(
                "remove",
                "remove one of 100,000 by (handler, what), ns; without codes: by its future",
                Peer.withTimers(),
                table());
    }

    @Override
    public Subject open(Peer peer) throws InterruptedException {
        MessageLoop loop = peer.open();
        Object[] sent = PendingTimers.fill(loop, PENDING);
        SplittableRandom random = new SplittableRandom(1);
        return circumstance -> {
            int[] numbers = random.ints(0, PENDING).distinct().limit(REMOVALS).toArray();
            TimedLoop removals = new TimedLoop(REMOVALS, MOST_NANOS);
            FutureTask<Double> task =
                    new FutureTask<>(() -> removals.nanosEach(i -> loop.remove(numbers[i], sent[numbers[i]])));
            if (circumstance.equals(ON_LOOP)) {
                loop.post(task);
            } else {
                task.run();
            }
            double nanos = task.get();
            loop.settle();
            for (int number : Arrays.copyOf(numbers, removals.done())) {
                sent[number] = loop.sendDelayed(number, PendingTimers.delay(random));
            }
            loop.settle();
            return new double[] {nanos};
        };
    }
}
