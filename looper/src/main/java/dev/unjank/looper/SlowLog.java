package dev.unjank.looper;

import dev.unjank.looper.queue.DeliveryLatency;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Durations;
import dev.unjank.looper.util.Nullable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The observer that logs deliveries that run too long or begin too late, one line each: see {@link
 * Looper#setSlowLogThresholdMs}. Its notes are the time of sending, and then a {@link Start}.
 */
final class SlowLog implements MessageObserver {
    private static final Logger LOG = System.getLogger("dev.unjank.looper");

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /**
     * The lateness up to which a delivery is on time: after a late delivery, the looper counts as late until a delivery
     * is on time.
     */
    private static final long ON_TIME = 10 * NANOS_PER_MILLI;

    /** The start of a delivery: its time, its lateness, and whether to log the lateness. */
    private record Start(long nanos, long lateness, boolean newlyLate) {}

    private final Clock clock;
    private final long runBound;
    private final long waitBound;

    /**
     * True from the first late delivery of a backlog, which is logged, to the end of the backlog. Accessed only by the
     * looper.
     */
    private boolean late;

    SlowLog(Clock clock, long runMillis, long waitMillis) {
        this.clock = clock;
        this.runBound = boundOf(runMillis);
        this.waitBound = boundOf(waitMillis);
    }

    private static long boundOf(long millis) {
        return millis <= 0 || millis > Long.MAX_VALUE / NANOS_PER_MILLI ? Long.MAX_VALUE : millis * NANOS_PER_MILLI;
    }

    @Override
    public @Nullable Object sending(Message message) {
        return DeliveryLatency.note(clock, message);
    }

    @Override
    public Object starting(Message message, @Nullable Object note) {
        long now = clock.nanos();
        long wait = Math.max(0, DeliveryLatency.at(now, message, note));
        boolean wasLate = late;
        late = wait >= waitBound || (wasLate && wait > ON_TIME);
        return new Start(now, wait, late && !wasLate);
    }

    @Override
    public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
        if (!(note instanceof Start start)) {
            return;
        }
        long run = clock.nanos() - start.nanos;
        if (run >= runBound || start.newlyLate) {
            LOG.log(
                    Level.WARNING,
                    "Slow message on " + MessageDescription.name(Thread.currentThread()) + ": began "
                            + Durations.text(start.lateness) + " late, ran for " + Durations.text(run) + ": "
                            + MessageDescription.delivery(message));
        }
    }
}
