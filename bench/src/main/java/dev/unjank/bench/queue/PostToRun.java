package dev.unjank.bench.queue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * How long from post to run, when messages come as fast as the loop can run them? A number of producers post
 * {@value #MESSAGES} messages between them, due at once, and stay at most {@value #AHEAD} ahead of the loop; the time ends when the
 * loop has run the last. Per message.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
public class PostToRun {

    static final int MESSAGES = 100_000;

    /** A busy queue, not an endless one: where a post walks the queue it would only be the backlog that is measured. */
    static final int AHEAD = 1_000;

    private static final int BATCH = 50;

    @Param
    Peer peer;

    @Param({"1", "2", "4"})
    int producers;

    private Loop loop;
    private ExecutorService threads;

    /** JMH makes one and fills it. */
    public PostToRun() {}

    /** Starts the loop and its producers. */
    @Setup
    public void open() {
        loop = peer.open();
        threads = Executors.newFixedThreadPool(producers);
    }

    /** Ends both. */
    @TearDown
    public void close() {
        threads.shutdownNow();
        loop.close();
    }

    /**
     * One burst.
     *
     * @throws InterruptedException if the harness gives up
     */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void postToRun() throws InterruptedException {
        Burst burst = new Burst();
        for (int i = 0; i < producers; i++) {
            threads.execute(() -> {
                for (int posted = 0; posted < MESSAGES / producers; posted++) {
                    if (posted % BATCH == 0) {
                        burst.waitUntilRan(posted * producers - AHEAD);
                    }
                    loop.post(burst);
                }
            });
        }
        burst.over.await();
    }

    /** The same task for each message: it counts the messages, on the loop's thread only. */
    private static final class Burst implements Runnable {
        final CountDownLatch over = new CountDownLatch(1);
        private int count;
        private volatile int ran;

        @Override
        public void run() {
            if (++count % BATCH == 0) {
                ran = count;
                if (count == MESSAGES) {
                    over.countDown();
                }
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // where processors are few, spinning would keep the loop from running
        void waitUntilRan(int messages) {
            while (ran < messages) {
                Thread.yield();
            }
        }
    }
}
