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
 * What does a delayed post cost when many wait already? One thread inserts {@value #INSERTS} messages at random deadlines among
 * those pending. Per message, as the poster sees it: a queue that leaves the ordering to the loop's thread pays for it later,
 * which {@link DrainDueTimers} shows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 20)
@Measurement(iterations = 30)
public class InsertAmongPending {

    static final int INSERTS = 200;

    /** Deadlines lie between these, in milliseconds, so that none comes while the benchmark runs. */
    private static final long EARLIEST = TimeUnit.MINUTES.toMillis(10);

    private static final long LATEST = TimeUnit.MINUTES.toMillis(60);

    @Param({"LOCK_FREE", "MONITOR", "SCHEDULED_POOL", "FORK_JOIN", "NETTY"})
    Peer peer;

    @Param({"1000", "100000"})
    int pending;

    private final SplittableRandom random = new SplittableRandom(1);
    private Loop loop;
    private long[] inserts;

    /** JMH makes one and fills it. */
    public InsertAmongPending() {}

    /**
     * Fills a new loop.
     *
     * @throws InterruptedException if the harness gives up
     */
    @Setup(Level.Iteration)
    public void fill() throws InterruptedException {
        loop = peer.open();
        CountDownLatch release = loop.hold(); // it would be woken for each new head otherwise
        long[] delays = random.longs(pending, EARLIEST, LATEST).sorted().toArray();
        for (int i = delays.length - 1; i >= 0; i--) { // latest first: a sorted list takes each at its head
            loop.postDelayed(Loop.NOTHING, delays[i]);
        }
        release.countDown();
        loop.settle();
        inserts = random.longs(INSERTS, EARLIEST, LATEST).toArray();
    }

    /** Ends the loop. */
    @TearDown(Level.Iteration)
    public void close() {
        loop.close();
    }

    /** The insertions. */
    @Benchmark
    @OperationsPerInvocation(INSERTS)
    public void insert() {
        for (long delay : inserts) {
            loop.postDelayed(Loop.NOTHING, delay);
        }
    }
}
