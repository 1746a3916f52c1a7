package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Calls back once per frame, on a looper's thread: for drawing, playback or simulation at a steady rate. It corresponds
 * to Android's Choreographer, for a looper without a display, and follows its rules:
 *
 * <ul>
 *   <li>Frames begin at whole periods after the clock was made, or after a given time. A posted callback runs once, in
 *       the next frame. To run in every frame, a callback posts itself again; what is posted during a frame runs in the
 *       following one.
 *   <li>Callbacks of one frame run in the order of posting. All receive the time at which the frame was to begin, not
 *       the time at which it did: an animation that uses it moves evenly.
 *   <li>A looper that is late by whole periods does not catch up: the waiting callbacks run once, as the latest frame
 *       that should have begun, and the frames before it are skipped.
 *   <li>A frame passes sync barriers.
 * </ul>
 *
 * <p>The <b>deadline</b> of a frame is one period after it was to begin. A frame that has not ended by then is missed.
 * JDK Flight Recorder recordings contain an event {@code dev.unjank.Frame} for each frame; {@code unjank doctor}
 * attributes missed frames to waits with it. Without a recording a frame costs two readings of the clock, and nothing
 * while no callback waits.
 *
 * <p>Any thread may post and remove; neither blocks.
 */
public final class FrameClock {
    private final Clock clock;
    private final Handler handler;
    private final Runnable frame = this::doFrame;
    private final long origin;
    private final long period;

    /** Newest first. The thread that pushes the first callback asks the looper for a frame. */
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();

    /**
     * When the frame that the looper has been asked for was to begin. Written before the request, read by the looper.
     */
    private volatile long expected;

    /** Written by the looper. */
    private volatile Counts counts = new Counts(0, 0, 0);

    /** The callback of a frame. */
    @FunctionalInterface
    public interface FrameCallback {
        /**
         * Called on the looper's thread.
         *
         * @param frameTimeNanos when the frame was to begin, in nanoseconds on the looper's {@linkplain Clock clock}
         */
        void doFrame(long frameTimeNanos);
    }

    /** A posted callback, or null once it has been removed or run. */
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
     * @param run how many have run
     * @param missed how many of these had not ended by their deadline
     * @param skipped how many others were skipped because the looper was late by whole periods
     */
    public record Counts(long run, long missed, long skipped) {
        private Counts plus(boolean oneMissed, long moreSkipped) {
            return new Counts(run + 1, missed + (oneMissed ? 1 : 0), skipped + moreSkipped);
        }
    }

    /**
     * Starts a clock; its first frame begins now. It needs no stop: a clock without waiting callbacks does nothing.
     *
     * @param looper the looper; frames run on its thread
     * @param period from frame to frame: 16.666667 ms for 60 in a second
     * @throws IllegalArgumentException if the period is shorter than a microsecond or longer than a day
     */
    public FrameClock(Looper looper, Duration period) {
        this(Handler.createAsync(Objects.requireNonNull(looper, "looper")), period, null);
    }

    /**
     * Starts a clock with frames aligned with an external time, such as that of a display.
     *
     * @param looper the looper; frames run on its thread
     * @param period from frame to frame
     * @param origin when some frame begins, past or future, in nanoseconds on the looper's {@linkplain Clock clock};
     *     all others begin whole periods before or after
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
     * Posts a callback to run in the next frame. Any thread.
     *
     * @param callback the callback, called once for each time that it is posted
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
     * Removes every pending post of a callback. Any thread.
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

    /** The last whole period that is not after a time. */
    private long startOf(long nanos) {
        return nanos - Math.floorMod(nanos - origin, period);
    }

    private void doFrame() {
        long due = expected; // read before the callbacks are taken: after that another thread may request another frame
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
            while (!callbacks.isEmpty()) { // only if one has thrown
                FrameCallback next = callbacks.remove(callbacks.size() - 1).take();
                if (next != null) {
                    postFrameCallback(next);
                }
            }
        }
    }

    /**
     * Returns the numbers of frames so far. Any thread.
     *
     * @return the numbers, taken together
     */
    public Counts counts() {
        return counts;
    }
}
