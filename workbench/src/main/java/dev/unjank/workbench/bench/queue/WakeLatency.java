package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long from a post to its run when the loop sleeps? The median of some hundred, each after a pause in which the loop falls
 * asleep. Most of it is the operating system's waking of a thread.
 *
 * <p>The poster spins in the pause and while it waits for the run. It keeps its own processor busy, so that it is the loop's
 * that is woken, and does not measure its own waking along with the loop's. Nothing is posted while the last message is still
 * on its way, so a late one delays none that would have been measured.
 *
 * <p>Many rounds of warming up: each is but some hundred posts, and until all of a loop's way from sleep to sleep has been
 * compiled for good, a loop that takes more Java to do it seems slower by a microsecond.
 */
final class WakeLatency extends BenchmarkQuestion<Peer> {
    private static final int WAKES = 400;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    WakeLatency() {
        super(
                "wake",
                "post to an idle loop, wake, run: median, ns",
                Peer.available(),
                List.of(new Row("idle loop", "idle", 0, List.of(BenchmarkTarget.atMost(1, Peer.BLOCKING_QUEUE)))),
                new Rounds(3, 40, 15),
                new Rounds(1, 40, 15));
    }

    @Override
    public Subject open(Peer peer) {
        MessageLoop loop = peer.open();
        Arrival arrival = new Arrival();
        return circumstance -> {
            long[] latencies = new long[WAKES];
            for (int i = 0; i < WAKES; i++) {
                long pause = System.nanoTime();
                while (System.nanoTime() - pause < PAUSE_NANOS) {
                    Thread.onSpinWait();
                }
                arrival.at = 0;
                long posted = System.nanoTime();
                loop.post(arrival);
                long at;
                while ((at = arrival.at) == 0) {
                    Thread.onSpinWait();
                }
                latencies[i] = at - posted;
            }
            Arrays.sort(latencies);
            return new double[] {latencies[WAKES / 2]};
        };
    }

    /** Takes the time of its run; 0 before. */
    private static final class Arrival implements Runnable {
        private volatile long at;

        @Override
        public void run() {
            at = System.nanoTime();
        }
    }
}
