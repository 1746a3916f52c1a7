package dev.unjank.bench.queue;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a timeout cost that never fires? One thread sets {@value #TIMEOUTS} timeouts and takes each back at once, while the
 * loop sleeps, beside a number of timers that stay. Per pair.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 20)
@Measurement(iterations = 30)
public class PostAndCancel {

    static final int TIMEOUTS = 10_000;

    /** Those that stay come first: a timeout is never the next timer, and setting it never wakes the loop. */
    private static final long STAYING_MILLIS = TimeUnit.SECONDS.toMillis(50);

    private static final long TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(60);

    @Param({"LOCK_FREE", "MONITOR", "SCHEDULED_POOL", "FORK_JOIN", "NETTY"})
    Peer peer;

    @Param({"1", "1000"})
    int staying;

    private Loop loop;

    /** JMH makes one and fills it. */
    public PostAndCancel() {}

    /**
     * Starts a loop with the timers that stay.
     *
     * @throws InterruptedException if the harness gives up
     */
    @Setup(Level.Iteration)
    public void open() throws InterruptedException {
        loop = peer.open();
        for (int i = 0; i < staying; i++) {
            loop.postDelayed(Loop.NOTHING, STAYING_MILLIS);
        }
        loop.settle();
    }

    /** Ends the loop. */
    @TearDown(Level.Iteration)
    public void close() {
        loop.close();
    }

    /** The pairs. */
    @Benchmark
    @OperationsPerInvocation(TIMEOUTS)
    public void postAndCancel() {
        for (int i = 0; i < TIMEOUTS; i++) {
            loop.cancel(loop.postDelayed(Loop.NOTHING, TIMEOUT_MILLIS));
        }
    }
}
