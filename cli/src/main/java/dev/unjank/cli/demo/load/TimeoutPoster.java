package dev.unjank.cli.demo.load;

import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread of the lowest priority that posts messages at a bounded rate, due long after the demo: a background job that
 * sets timeouts. It measures each call of {@code postDelayed}.
 */
final class TimeoutPoster extends Thread {

    private final MessageLoop loop;
    private final long nanosBetweenPosts;
    private final SplittableRandom random;
    private final CountDownLatch started;
    private final LatencySamples latency;

    private long recordFrom;
    private volatile boolean stop;
    private volatile boolean lowered;

    /**
     * Creates the poster, not started.
     *
     * @param seconds the duration of the measurement
     * @param started counted down when its priority is set
     */
    TimeoutPoster(int number, MessageLoop loop, int postsPerSecond, int seconds, CountDownLatch started) {
        super("poster-" + number);
        setDaemon(true);
        this.loop = loop;
        this.nanosBetweenPosts = TimeUnit.SECONDS.toNanos(1) / postsPerSecond;
        this.random = new SplittableRandom(number);
        this.latency = new LatencySamples(2 * postsPerSecond * seconds); // no allocation between two timed posts
        this.started = started;
    }

    @Override
    public void run() {
        lowered = Niceness.lowerCurrentThread();
        started.countDown();
        long start = System.nanoTime();
        for (long posted = 0; !stop; posted++) {
            long planned = start + posted * nanosBetweenPosts;
            for (long early; (early = planned - System.nanoTime()) > 0 && !stop; ) {
                LockSupport.parkNanos(early);
            }
            long delay = farAway(random);
            long before = System.nanoTime();
            loop.postDelayed(MessageLoop.NOTHING, delay);
            long after = System.nanoTime();
            if (before - recordFrom >= 0) {
                latency.record(after - before);
            }
        }
    }

    /** A delay in ms that is longer than the demo, so that the loop never runs the message. */
    static long farAway(SplittableRandom random) {
        return random.nextLong(TimeUnit.MINUTES.toMillis(2), TimeUnit.MINUTES.toMillis(10));
    }

    /** Starts posting at {@code from}, the start of the measurement on the clock of {@link System#nanoTime()}. */
    void start(long from) {
        recordFrom = from;
        start();
    }

    void stopSoon() {
        stop = true;
    }

    /** Whether it runs at the lowest priority. */
    boolean isLowered() {
        return lowered;
    }

    /** The durations of its posts in ns. Callers must have joined this thread. */
    LatencySamples latency() {
        return latency;
    }
}
