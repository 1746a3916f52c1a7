package dev.unjank.cli.demo.load;

import dev.unjank.cli.demo.load.TickCounter.Ticks;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Measures one queue under load for a given time.
 *
 * <p>The calling thread sets up the load and then only samples. It takes no lock that the loop or the posters take, so
 * it ends on time even if they hang. All threads that it starts are daemons.
 */
public final class LoopUnderLoad {

    /** The time from the start of the load to the measurement, since the scheduler favours new threads at first. */
    private static final long HEAD_START = TimeUnit.SECONDS.toNanos(1);

    private static final long SAMPLING_MILLIS = 5;
    private static final long JOIN_MILLIS = 2_000;

    private final LoadProfile load;
    private final int seconds;

    private final TickCounter ledger;
    private final TickCounter controlLedger;
    final UiLoop loop; // a test stalls it
    private final CountDownLatch postersStarted;
    private final List<TimeoutPoster> posters;
    private final List<BusyThread> hogs;

    private long samples;
    private long blockedSamples;

    /** Starts the loop for a measurement of the given duration. */
    public LoopUnderLoad(Supplier<? extends MessageLoop> opener, LoadProfile load, int seconds)
            throws InterruptedException {
        this.load = load;
        this.seconds = seconds;
        ledger = new TickCounter(seconds);
        controlLedger = new TickCounter(seconds);
        loop = new UiLoop(opener.get(), ledger);
        postersStarted = new CountDownLatch(load.posters());
        posters = IntStream.range(0, load.posters())
                .mapToObj(i -> new TimeoutPoster(i, loop.loop(), load.postsPerSecond(), seconds, postersStarted))
                .toList();
        hogs = IntStream.range(0, load.hogs()).mapToObj(BusyThread::new).toList();
    }

    /** A callback that is called once a second with the ticks so far. */
    @FunctionalInterface
    public interface Watcher {

        /**
         * Called after each second, counted from 1, with its ticks; the stall is the longest so far. Returns false to
         * stop.
         */
        boolean secondOver(int second, Ticks ticks);
    }

    /** Runs a task on the loop's thread before the measurement, and waits for it. */
    public void onLoop(Runnable task) throws InterruptedException {
        loop.loop().post(task);
        loop.loop().settle();
    }

    /** Runs the measurement to its end, or until the watcher stops it. */
    public LoopUnderLoadResult run(Watcher watcher) throws InterruptedException {
        fillQueue(loop.loop());
        long start = System.nanoTime() + HEAD_START;
        ControlTicker control = new ControlTicker(controlLedger, start);
        loop.startTicking(start);
        long end;
        try {
            control.start();
            posters.forEach(poster -> poster.start(start));
            postersStarted.await(1, TimeUnit.SECONDS);
            hogs.forEach(BusyThread::start);
            end = watch(start, watcher);
        } finally {
            control.stopSoon();
            hogs.forEach(BusyThread::stopSoon);
            posters.forEach(TimeoutPoster::stopSoon);
        }
        return result(end);
    }

    private void fillQueue(MessageLoop loop) {
        SplittableRandom random = new SplittableRandom(load.pending());
        for (int i = 0; i < load.pending(); i++) {
            loop.postDelayed(MessageLoop.NOTHING, TimeoutPoster.farAway(random));
        }
    }

    /** Returns the end of the measurement, in ns since the start. */
    private long watch(long start, Watcher watcher) throws InterruptedException {
        sleepUntil(start);
        long now = 0;
        Ticks soFar = ledger.upTo(now);
        int second = 0;
        boolean goOn = true;
        while (goOn && second < seconds) {
            while (now < TimeUnit.SECONDS.toNanos(second + 1L)) {
                Thread.sleep(SAMPLING_MILLIS);
                samples++;
                blockedSamples += loop.isBlockedOnLock() ? 1 : 0;
                now = System.nanoTime() - start;
            }
            second =
                    (int) Math.min(seconds, TimeUnit.NANOSECONDS.toSeconds(now)); // this thread may have been preempted
            Ticks before = soFar;
            soFar = ledger.upTo(now);
            goOn = watcher.secondOver(second, soFar.since(before));
        }
        return now;
    }

    private LoopUnderLoadResult result(long end) throws InterruptedException {
        boolean allStopped = true;
        boolean allNiced = true;
        LatencySamples latency = new LatencySamples(0);
        for (TimeoutPoster poster : posters) {
            poster.join(JOIN_MILLIS);
            allNiced &= poster.isLowered();
            if (poster.isAlive()) {
                allStopped = false;
            } else {
                latency.add(poster.latency());
            }
        }
        if (allStopped) {
            loop.quit(); // may take the queue's lock, which a hanging poster might hold
        }
        return new LoopUnderLoadResult(
                ledger.upTo(end),
                controlLedger.upTo(end).missed(),
                samples == 0 ? 0 : (double) blockedSamples / samples,
                latency.count(),
                latency.percentile(50),
                latency.percentile(99.9),
                allNiced);
    }

    private static void sleepUntil(long nanoTime) throws InterruptedException {
        long nanos = nanoTime - System.nanoTime();
        if (nanos > 0) {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    }
}
