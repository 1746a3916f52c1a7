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
 * A busy UI thread: frames at 60 a second, each with the same to do. Of each frame that was due counts how long after that
 * moment it was there; a frame that was skipped is there when the next one is.
 */
public final class FrameLoop {
    /** From frame to frame. */
    public static final Duration PERIOD = Duration.ofNanos(16_666_667);

    /** A loop that has not ended its frames this long after the request to stop is stuck. */
    private static final int MOST_SECONDS = 60;

    private final FrameClock clock;
    private final Runnable work;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final DelaySamples delays = new DelaySamples();
    private long awaited;
    private volatile boolean stop;

    /** What goes on while there are frames. */
    @FunctionalInterface
    public interface Meanwhile {
        /** Returns when it is over. */
        void run() throws InterruptedException;
    }

    /** Nothing else for a time. */
    public static Meanwhile during(double seconds) {
        return () -> TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
    }

    private FrameLoop(Looper looper, Runnable work) {
        clock = new FrameClock(looper, PERIOD);
        this.work = work;
    }

    /**
     * Has a looper run frames, and waits until it has.
     *
     * @param meanwhile what goes on on the calling thread; the frames end with it
     * @return how many were {@code due} and {@code missed}, that is, not there when the next one was due; and how long they took
     *     by {@link DelaySamples#figures}
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
