package dev.unjank.looper;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Calls back once for each frame, on a looper's thread: for who draws, or plays, or simulates at a steady rate. It is to a
 * looper without a display what Android's Choreographer is to one with it, with its rules:
 *
 * <ul>
 *   <li>Frames begin at whole periods after the clock was made, or after a time that is given. A callback that is posted is run in the next frame, once;
 *       one that wants every frame posts itself again, and what is posted in a frame is for the one after it.
 *   <li>Callbacks of one frame are run in the order of their posting, and are all given the time at which the frame was to
 *       begin, not that at which it did: whatever moves by that time moves evenly.
 *   <li>A looper that is late by whole periods does not catch up: what waited is run once, as the latest frame that should have
 *       begun, and the ones before it are skipped.
 *   <li>A frame passes sync barriers.
 * </ul>
 *
 * <p>A frame's <b>deadline</b> is one period after it was to begin. One that has not ended by then is missed. Recordings of the
 * Flight Recorder have an event {@code dev.unjank.Frame} for each frame, from which {@code unjank doctor} tells which wait has
 * cost which frame. Without a recording a frame costs two looks at the clock, and nothing while no callback waits.
 *
 * <p>Any thread may post and remove, without waiting for another.
 */
public final class FrameClock {
    private final Clock clock;
    private final Handler handler;
    private final Runnable frame = this::doFrame;
    private final long origin;
    private final long period;

    /** Newest first. Whoever pushes the first one asks the looper for a frame. */
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();

    /** When the frame was to begin that the looper has been asked for. Written before the asking, read by the looper. */
    private volatile long expected;

    /** Written by the looper. */
    private volatile Counts counts = new Counts(0, 0, 0);

    /** What is called in a frame. */
    @FunctionalInterface
    public interface FrameCallback {
        /**
         * Called on the looper's thread.
         *
         * @param frameTimeNanos when the frame was to begin, in nanoseconds on the looper's {@linkplain Clock clock}
         */
        void doFrame(long frameTimeNanos);
    }

    /** A callback, or null once it has been taken back or run. */
    private record Waiting(
            AtomicReference<@Nullable FrameCallback> callback,
            @Nullable Waiting older) {
        @Nullable
        FrameCallback take() {
            return callback.getAndSet(null);
        }
    }

    /**
     * What has become of frames so far.
     *
     * @param run how many have been run
     * @param missed how many of them had not ended by their deadline
     * @param skipped how many others were passed over, since the looper was late by whole periods
     */
    public record Counts(long run, long missed, long skipped) {
        private Counts plus(boolean oneMissed, long moreSkipped) {
            return new Counts(run + 1, missed + (oneMissed ? 1 : 0), skipped + moreSkipped);
        }
    }

    /**
     * Starts a clock; its first frame begins now. It needs no stopping: a clock for which no callback waits does nothing.
     *
     * @param looper on whose thread frames are run
     * @param period from frame to frame: 16.666667 ms for 60 in a second
     * @throws IllegalArgumentException if the period is shorter than a microsecond or longer than a day
     */
    public FrameClock(Looper looper, Duration period) {
        this(Handler.createAsync(Objects.requireNonNull(looper, "looper")), period, null);
    }

    /**
     * Starts a clock whose frames keep step with something else: a display, an account of time.
     *
     * @param looper on whose thread frames are run
     * @param period from frame to frame
     * @param origin when some frame begins, past or to come, in nanoseconds on the looper's {@linkplain Clock clock}; all others begin
     *     whole periods before or after
     * @throws IllegalArgumentException if the period is shorter than a microsecond or longer than a day
     */
    public FrameClock(Looper looper, Duration period, long origin) {
        this(Handler.createAsync(Objects.requireNonNull(looper, "looper")), period, origin);
    }

    private FrameClock(Handler handler, Duration period, @Nullable Long origin) {
        Objects.requireNonNull(period, "period");
        if (period.compareTo(Duration.ofNanos(1_000)) < 0 || period.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a frame of " + period + "; 1 microsecond to 1 day is possible");
        }
        this.handler = handler;
        this.clock = handler.queue.clock;
        this.period = period.toNanos();
        this.origin = origin == null ? clock.nanos() : origin;
    }

    /**
     * Has a callback run in the next frame. Any thread.
     *
     * @param callback what to call, once for each time that it is posted
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
     * Takes a callback back, every time that it has been posted and not yet been run. Any thread.
     *
     * @param callback what is not to be called
     * @return true if it was taken back at least once
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
        long due = expected; // before the callbacks are taken: from then on somebody may ask for another frame
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
            while (!callbacks.isEmpty()) { // one has thrown
                FrameCallback next = callbacks.remove(callbacks.size() - 1).take();
                if (next != null) {
                    postFrameCallback(next);
                }
            }
        }
    }

    /**
     * What has become of frames so far. Any thread.
     *
     * @return the numbers, taken together
     */
    public Counts counts() {
        return counts;
    }
}
