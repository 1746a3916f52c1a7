package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.comparison.TimedLoop;
import dev.unjank.workbench.bench.peer.Peer;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures the memory that cancelled timeouts retain while the loop sleeps. Two figures: the growth of the live heap
 * over a number of pairs, measured after full collections; and the number of payloads that were not collected (each
 * timeout has its own; about one in a thousand is tracked with a weak reference).
 *
 * <p>Garbage that a woken loop cleans up counts only if it is still there afterwards: the heap is measured again as
 * long as it shrinks. The size is that of the whole JVM's heap, which varies by a few kilobytes.
 */
final class RetainedMemory extends BenchmarkQuestion<Peer> {
    private static final int WATCHED = 1_000;
    private static final double KIB = 1024;
    private static final double KIB_LIMIT = 256;

    private static final long STAYING_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final long TIMEOUT_MILLIS = TimeUnit.MINUTES.toMillis(6);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** The time between two heap measurements. */
    private static final long DOZE_MILLIS = 50;

    private static List<Row> table() {
        BenchmarkTarget bounded = BenchmarkTarget.atMost(KIB_LIMIT, " KiB");
        BenchmarkTarget none = BenchmarkTarget.atMost(0, "");
        return List.of(
                new Row("KiB, k = 10,000", "10000", 0, List.of(bounded)),
                new Row("KiB, k = 1,000,000", "1000000", 0, List.of(bounded)),
                new Row("payloads, of 1,000", "1000000", 1, List.of(none)));
    }

    RetainedMemory() {
        super(
                "retained",
                "left after k cancelled timeouts while the loop sleeps",
                Peer.withTimers(),
                table(),
                new Rounds(1, 1, 9),
                new Rounds(1, 1, 5));
    }

    @Override
    public Subject open(Peer peer) {
        return circumstance -> {
            int pairs = Integer.parseInt(circumstance);
            List<WeakReference<Payload>> watched = new ArrayList<>(2 * WATCHED);
            try (MessageLoop loop = peer.open()) {
                loop.postDelayed(MessageLoop.NOTHING, STAYING_MILLIS);
                loop.cancel(loop.postDelayed(new Payload(-1), TIMEOUT_MILLIS));
                loop.settle();
                long before = liveHeap();
                TimedLoop timed = new TimedLoop(pairs, MOST_NANOS);
                timed.nanosEach(pair -> {
                    Payload payload = new Payload(pair);
                    if (pair % (pairs / WATCHED) == 0) {
                        watched.add(new WeakReference<>(payload));
                    }
                    loop.cancel(loop.postDelayed(payload, TIMEOUT_MILLIS));
                });
                heapThatStays();
                watched.removeIf(payload -> payload.get() == null);
                int left = watched.size();
                watched.clear();
                double retained = Math.max(0, heapThatStays() - before) / KIB;
                return timed.done() == pairs ? new double[] {retained, left} : new double[] {Double.NaN, Double.NaN};
            }
        };
    }

    private static long heapThatStays() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (long now = liveHeap(); now < least; now = liveHeap()) {
            least = now;
            Thread.sleep(DOZE_MILLIS);
        }
        return least;
    }

    private static long liveHeap() {
        System.gc();
        System.gc(); // collects JVM objects that the first collection released
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** The task of a timeout. */
    private record Payload(int number) implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("cancelled timeout " + number + " ran");
        }
    }
}
