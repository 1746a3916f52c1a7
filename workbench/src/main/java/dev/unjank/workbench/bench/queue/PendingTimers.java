package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Timers with random deadlines after the end of the measurement. */
final class PendingTimers {
    /** The range of delays, in milliseconds. */
    static final long EARLIEST = TimeUnit.MINUTES.toMillis(10);

    static final long LATEST = TimeUnit.MINUTES.toMillis(60);

    /** A time, in milliseconds, in which a loop sorts the messages that it has taken in and falls asleep. */
    private static final long DOZE = 20;

    private PendingTimers() {}

    /** Sets numbered timers in a loop, and returns when the loop has sorted them and sleeps. */
    static Object[] fill(MessageLoop loop, int timers) throws InterruptedException {
        Object[] sent = new Object[timers];
        CountDownLatch release = loop.hold(); // otherwise each new head would wake it
        RandomGenerator random = new SplittableRandom(timers);
        long[] delays = random.longs(timers, EARLIEST, LATEST).sorted().toArray();
        for (int i = timers - 1; i >= 0; i--) { // in descending order: a sorted list inserts each at its head
            sent[i] = loop.sendDelayed(i, delays[i]);
        }
        release.countDown();
        loop.settle();
        Thread.sleep(DOZE);
        return sent;
    }

    /** A random delay in milliseconds within the range of the pending timers. */
    static long delay(RandomGenerator random) {
        return random.nextLong(EARLIEST, LATEST);
    }
}
