package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from a post to its run when the loop sleeps: the median of a few hundred posts, each after a pause
 * in which the loop falls asleep. It consists mostly of the operating system's wake-up latency.
 *
 * <p>The poster spins during the pause and while it waits for the run. It stays on its CPU, so that its own wake-up is
 * not part of the measurement. It posts only after the previous message has run, so that a late message does not delay
 * the next one.
 *
 * <p>Many warm-up rounds are needed: each has only a few hundred posts, and until the whole path from sleep to sleep is
 * fully compiled, a loop with a longer Java path appears slower by a microsecond.
 */
final class WakeLatency extends BenchmarkQuestion<Peer> {
    private static final int WAKES = 400;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    WakeLatency() {
        super(
                "wake",
                "post to an idle loop until its run, median, ns",
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

    /** A message that records the time of its run; 0 before. */
    private static final class Arrival implements Runnable {
        private volatile long at;

        @Override
        public void run() {
            at = System.nanoTime();
        }
    }
}
