package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that runs callbacks once per frame on a looper's thread, for drawing, playback or simulation at a steady
 * rate. It corresponds to Android's Choreographer, without a display, and follows the same rules:
 *
 * <ul>
 *   <li>Frames begin at whole periods after the creation of the clock, or after a given time. A posted callback runs
 *       once, in the next frame. To run in every frame, a callback posts itself again; a callback that is posted during
 *       a frame runs in the following frame.
 *   <li>The callbacks of a frame run in the order of posting. All of them receive the scheduled start of the frame, not
 *       the actual one, so that animations move evenly.
 *   <li>A looper that is late by whole periods does not catch up: the waiting callbacks run once, in the latest frame
 *       that should have begun, and earlier frames are skipped.
 *   <li>A frame passes sync barriers.
 * </ul>
 *
 * <p>The <b>deadline</b> of a frame is one period after its scheduled start. A frame that has not ended by then is
 * missed. JFR recordings contain an event {@code dev.unjank.Frame} for each frame, from which {@code unjank doctor}
 * attributes missed frames to waits. Without a recording, a frame costs two readings of the clock, and a clock without
 * waiting callbacks costs nothing.
 *
 * <p>Any thread may post and remove; neither blocks.
 */
public final class FrameClock {
    private final Clock clock;
    private final Handler handler;
    private final Runnable frame = this::doFrame;
    private final long origin;
    private final long period;

    /**
     * The waiting callbacks, newest first. The thread that pushes the first callback requests a frame from the looper.
     */
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();

    /** The scheduled start of the requested frame. Written before the request, read by the looper. */
    private volatile long expected;

    /** The numbers of frames so far. Written by the looper. */
    private volatile Counts counts = new Counts(0, 0, 0);

    /** A callback that runs in a frame. */
    @FunctionalInterface
    public interface FrameCallback {
        /**
         * Called on the looper's thread.
         *
         * @param frameTimeNanos the scheduled start of the frame, in nanoseconds on the looper's {@linkplain Clock
         *     clock}
         */
        void doFrame(long frameTimeNanos);
    }

    /** A posted callback; null once it has been removed or run. */
    private record Waiting(
            AtomicReference<@Nullable FrameCallback> callback,
            @Nullable Waiting older) {
        @Nullable
        FrameCallback take() {
            return callback.getAndSet(null);
        }
    }

    /**
     * The numbers of frames so far.
     *
     * @param run the number of frames that have run
     * @param missed the number of these frames that had not ended by their deadline
     * @param skipped the number of other frames, which were skipped because the looper was late by whole periods
     */
    public record Counts(long run, long missed, long skipped) {
        private Counts plus(boolean oneMissed, long moreSkipped) {
            return new Counts(run + 1, missed + (oneMissed ? 1 : 0), skipped + moreSkipped);
        }
    }

    /**
     * Creates a clock whose first frame begins now. A clock need not be stopped, since it does nothing while no
     * callback waits.
     *
     * @param looper the looper; frames run on its thread
     * @param period the time from frame to frame: 16.666667 ms for 60 frames per second
     * @throws IllegalArgumentException if the period is shorter than a microsecond or longer than a day
     */
    public FrameClock(Looper looper, Duration period) {
        this(Handler.createAsync(Objects.requireNonNull(looper, "looper")), period, null);
    }

    /**
     * Creates a clock with frames that are aligned with an external time, such as the refresh of a display.
     *
     * @param looper the looper; frames run on its thread
     * @param period the time from frame to frame
     * @param origin the start of one frame, past or future, in nanoseconds on the looper's {@linkplain Clock clock};
     *     all other frames begin whole periods before or after it
     * @throws IllegalArgumentException if the period is shorter than a microsecond or longer than a day
     */
    public FrameClock(Looper looper, Duration period, long origin) {
        this(Handler.createAsync(Objects.requireNonNull(looper, "looper")), period, origin);
    }

    private FrameClock(Handler handler, Duration period, @Nullable Long origin) {
        Objects.requireNonNull(period, "period");
        if (period.compareTo(Duration.ofNanos(1_000)) < 0 || period.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("frame period " + period + ": expected 1 microsecond to 1 day");
        }
        this.handler = handler;
        this.clock = handler.queue.clock;
        this.period = period.toNanos();
        this.origin = origin == null ? clock.nanos() : origin;
    }

    /**
     * Posts a callback to run in the next frame. May be called from any thread.
     *
     * @param callback the callback, called once for each post
     * @return false if the looper is quitting; the callback will not be called then
     */
    public boolean postFrameCallback(FrameCallback callback) {
        Objects.requireNonNull(callback, "callback");
        AtomicReference<@Nullable FrameCallback> held = new AtomicReference<>(callback);
        Waiting top;
        do {
            top = waiting.get();
        } while (!waiting.compareAndSet(top, new Waiting(held, top)));
        if (top != null) {
            return !handler.queue.isQuitting();
        }
        long next = startOf(clock.nanos()) + period;
        expected = next;
        if (handler.sendAtNanos(Message.obtain(handler, frame), next)) {
            return true;
        }
        waiting.set(null);
        return false;
    }

    /**
     * Removes every pending post of a callback. May be called from any thread.
     *
     * @param callback the callback to remove
     * @return true if at least one post was removed
     */
    public boolean removeFrameCallback(FrameCallback callback) {
        Objects.requireNonNull(callback, "callback");
        boolean any = false;
        for (Waiting w = waiting.get(); w != null; w = w.older) {
            any |= w.callback.compareAndSet(callback, null);
        }
        return any;
    }

    /** Returns the start of the last frame that is not after the given time. */
    private long startOf(long nanos) {
        return nanos - Math.floorMod(nanos - origin, period);
    }

    private void doFrame() {
        long due = expected; // read before the callbacks are taken: afterwards another thread may request a frame
        List<Waiting> callbacks = new ArrayList<>();
        for (Waiting w = waiting.getAndSet(null); w != null; w = w.older) {
            callbacks.add(w);
        }
        Object event = JfrEvents.frameStarting();
        long began = clock.nanos();
        long frameTime = Math.max(due, startOf(began));
        try {
            while (!callbacks.isEmpty()) {
                FrameCallback next = callbacks.remove(callbacks.size() - 1).take();
                if (next != null) {
                    next.doFrame(frameTime);
                }
            }
        } finally {
            long ended = clock.nanos();
            boolean late = ended - due > period;
            long skipped = (frameTime - due) / period;
            counts = counts.plus(late, skipped);
            JfrEvents.frameFinished(event, (due - origin) / period, began - due, period, late, skipped);
            while (!callbacks.isEmpty()) { // only if a callback has thrown
                FrameCallback next = callbacks.remove(callbacks.size() - 1).take();
                if (next != null) {
                    postFrameCallback(next);
                }
            }
        }
    }

    /**
     * Returns the numbers of frames so far. May be called from any thread.
     *
     * @return a consistent snapshot of the numbers
     */
    public Counts counts() {
        return counts;
    }
}
