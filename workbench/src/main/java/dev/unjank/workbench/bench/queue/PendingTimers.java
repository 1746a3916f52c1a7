package dev.unjank.workbench.bench.queue;

import dev.unjank.cli.demo.load.MessageLoop;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Timers with random deadlines that lie after the measurement. */
final class PendingTimers {
    /** Deadlines lie between these, in milliseconds. */
    static final long EARLIEST = TimeUnit.MINUTES.toMillis(10);

    static final long LATEST = TimeUnit.MINUTES.toMillis(60);

    /** Long enough, in milliseconds, for a loop to put in order what it has taken in, and to fall asleep. */
    private static final long DOZE = 20;

    private PendingTimers() {}

    /** A loop's timers, each with its number, and returns when the loop has them in order and sleeps. */
    static Object[] fill(MessageLoop loop, int timers) throws InterruptedException {
        Object[] sent = new Object[timers];
        CountDownLatch release = loop.hold(); // it would be woken for each new head otherwise
        RandomGenerator random = new SplittableRandom(timers);
        long[] delays = random.longs(timers, EARLIEST, LATEST).sorted().toArray();
        for (int i = timers - 1; i >= 0; i--) { // latest first: a sorted list takes each at its head
            sent[i] = loop.sendDelayed(i, delays[i]);
        }
        release.countDown();
        loop.settle();
        Thread.sleep(DOZE);
        return sent;
    }

    /** A delay in milliseconds among those that wait. */
    static long delay(RandomGenerator random) {
        return random.nextLong(EARLIEST, LATEST);
    }
}
