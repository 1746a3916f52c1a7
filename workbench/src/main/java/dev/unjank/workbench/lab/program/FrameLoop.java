package dev.unjank.workbench.lab.program;

import dev.unjank.looper.FrameClock;
import dev.unjank.looper.Looper;
import dev.unjank.looper.spi.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A busy UI thread: 60 frames a second, each with the same work. Records for each due frame the time from its due time
 * to its completion; a skipped frame completes with the next one.
 */
public final class FrameLoop {
    /** The frame period. */
    public static final Duration PERIOD = Duration.ofNanos(16_666_667);

    /** The timeout for the frames to end after the request to stop. */
    private static final int MOST_SECONDS = 60;

    private final FrameClock clock;
    private final Runnable work;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final DurationSamples delays = new DurationSamples();
    private long awaited;
    private volatile boolean stop;

    /** The activity of the calling thread during the frames. */
    @FunctionalInterface
    public interface Meanwhile {
        /** Runs the activity. */
        void run() throws InterruptedException;
    }

    /** Sleeps for the given time. */
    public static Meanwhile during(double seconds) {
        return () -> TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
    }

    private FrameLoop(Looper looper, Runnable work) {
        clock = new FrameClock(looper, PERIOD);
        this.work = work;
    }

    /**
     * Runs frames on a looper, and waits for them to end.
     *
     * @param meanwhile the activity of the calling thread; the frames end with it
     * @return the numbers of frames that were {@code due} and {@code missed} (not complete when the next one was due),
     *     and their durations as in {@link DurationSamples#figures}
     */
    public static Map<String, Double> run(Looper looper, Runnable work, Meanwhile meanwhile)
            throws InterruptedException {
        FrameLoop frames = new FrameLoop(looper, work);
        frames.clock.postFrameCallback(frames::frame);
        meanwhile.run();
        frames.stop = true;
        if (!frames.ended.await(MOST_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no frame for " + MOST_SECONDS + " s");
        }
        Map<String, Double> figures = new HashMap<>(frames.delays.figures());
        figures.put("due", figures.get("count"));
        figures.put("missed", (double) frames.delays.between(PERIOD.toNanos(), Long.MAX_VALUE));
        return figures;
    }

    private void frame(long frameTime) {
        work.run();
        long period = PERIOD.toNanos();
        long over = Clock.system().nanos();
        for (long due = awaited == 0 ? frameTime : awaited; due <= frameTime; due += period) {
            delays.add(over - due);
        }
        awaited = frameTime + period;
        if (stop) {
            ended.countDown();
        } else {
            clock.postFrameCallback(this::frame);
        }
    }
}
