package dev.unjank.bench.queue;

import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
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
 * How fast are timers run that are due all at once? {@value #TIMERS} timers, set in random order, come due while the loop is
 * held; the time runs from its release to the last timer's run. Per timer.
 *
 * <p>The fork-join pool is left out: a second thread keeps its timers and goes on while its worker is held.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 20)
@Measurement(iterations = 30)
public class DrainDueTimers {

    static final int TIMERS = 10_000;

    private static final long LONGEST_DELAY_MILLIS = 200;

    @Param({"LOCK_FREE", "MONITOR", "SCHEDULED_POOL", "NETTY"})
    Peer peer;

    private final SplittableRandom random = new SplittableRandom(1);
    private Loop loop;
    private CountDownLatch release;
    private CountDownLatch over;
    private int left;

    /** JMH makes one and fills it. */
    public DrainDueTimers() {}

    /**
     * Sets the timers and waits until all are due.
     *
     * @throws InterruptedException if the harness gives up
     */
    @Setup(Level.Iteration)
    public void setTimers() throws InterruptedException {
        loop = peer.open();
        release = loop.hold();
        over = new CountDownLatch(1);
        left = TIMERS;
        for (int i = 0; i < TIMERS; i++) {
            loop.postDelayed(this::ran, random.nextLong(1, LONGEST_DELAY_MILLIS));
        }
        Thread.sleep(LONGEST_DELAY_MILLIS);
    }

    /** Ends the loop. */
    @TearDown(Level.Iteration)
    public void close() {
        loop.close();
    }

    /**
     * Lets the loop run them.
     *
     * @throws InterruptedException if the harness gives up
     */
    @Benchmark
    @OperationsPerInvocation(TIMERS)
    public void drain() throws InterruptedException {
        release.countDown();
        over.await();
    }

    private void ran() {
        if (--left == 0) { // on the loop's thread only
            over.countDown();
        }
    }
}
