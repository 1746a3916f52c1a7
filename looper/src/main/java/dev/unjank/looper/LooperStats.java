package dev.unjank.looper;

import dev.unjank.looper.queue.DeliveryLatency;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Durations;
import dev.unjank.looper.util.Nullable;
import java.util.Locale;
import java.util.Objects;

/**
 * Counts and times the messages of one looper, from the call of {@link #of} until it is closed.
 *
 * <pre>{@code
 * LooperStats stats = LooperStats.of(looper);
 * LooperStats.Snapshot before = stats.snapshot();
 * ...
 * System.out.println(stats.snapshot().since(before));
 * }</pre>
 *
 * <p>All times are those of the looper's clock. A <i>wait</i> lasts from the moment a message is due, or from its
 * sending if that comes later, to the begin of its delivery: a requested delay does not count. A <i>run</i> is a
 * delivery; the run of a message that calls {@link Looper#loop()} contains its inner deliveries.
 *
 * <p>The cost is one reading of the clock and two small objects for a message that is sent to run at once, and two
 * readings for a delivery. It takes no lock: only the looper writes, and a reader may miss the value being written. A
 * looper without statistics pays nothing, see {@link MessageObserver}. A looper may have several.
 */
public final class LooperStats implements AutoCloseable {
    /**
     * A snapshot of a looper, or the difference of two. Immutable.
     *
     * @param fromNanos when counting began, on the looper's clock
     * @param toNanos when this was taken, on the looper's clock
     * @param depth how many messages waited then, due or not; see {@link MessageQueue#depth()}
     * @param oldestWaitNanos for how long the oldest due message had been waiting; see {@link
     *     MessageQueue#oldestWaitNanos()}
     * @param waits how late deliveries began. Does not contain messages for the front of the queue that were sent
     *     before the statistics were switched on: their time is unknown
     * @param runs how long deliveries took
     */
    public record Snapshot(
            long fromNanos,
            long toNanos,
            int depth,
            long oldestWaitNanos,
            LatencyHistogram waits,
            LatencyHistogram runs) {

        /** Makes a snapshot. */
        public Snapshot {
            Objects.requireNonNull(waits, "waits");
            Objects.requireNonNull(runs, "runs");
        }

        /**
         * Returns the number of deliveries that ended per second of the looper's clock.
         *
         * @return messages per second; 0 if no time has passed
         */
        public double messagesPerSecond() {
            return toNanos == fromNanos ? 0 : runs.count() * 1e9 / (toNanos - fromNanos);
        }

        /**
         * Returns what happened since an earlier snapshot of the same statistics.
         *
         * @param earlier the earlier snapshot
         * @return a snapshot of the time between the two; depth and oldest wait are those of the later one
         */
        public Snapshot since(Snapshot earlier) {
            Objects.requireNonNull(earlier, "earlier");
            return new Snapshot(
                    earlier.toNanos,
                    toNanos,
                    depth,
                    oldestWaitNanos,
                    waits.since(earlier.waits),
                    runs.since(earlier.runs));
        }

        /** All values on one line. */
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.0f messages/s, %d waiting, oldest due for %s, waits %s, runs %s",
                    messagesPerSecond(),
                    depth,
                    Durations.text(oldestWaitNanos),
                    waits,
                    runs);
        }
    }

    /** Measures the times. Its notes are the time of sending, and then the time of starting. */
    private final class Timing implements MessageObserver {
        @Override
        public @Nullable Object sending(Message message) {
            return DeliveryLatency.note(clock, message);
        }

        @Override
        public Object starting(Message message, @Nullable Object note) {
            long now = clock.nanos();
            long lateness = DeliveryLatency.at(now, message, note);
            if (lateness >= 0) {
                waits.add(lateness);
            }
            return now;
        }

        @Override
        public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
            if (note != null) {
                runs.add(clock.nanos() - (long) note);
            }
        }
    }

    private final MessageQueue queue;
    private final Clock clock;
    private final long since;
    private final LatencyRecorder waits = new LatencyRecorder();
    private final LatencyRecorder runs = new LatencyRecorder();
    private final MessageObserver timing = new Timing();

    private LooperStats(MessageQueue queue) {
        this.queue = queue;
        this.clock = queue.clock;
        this.since = clock.nanos();
    }

    /**
     * Starts counting. Any thread.
     *
     * @param looper the looper
     * @return the statistics; to be closed when no longer needed
     */
    public static LooperStats of(Looper looper) {
        LooperStats stats =
                new LooperStats(Objects.requireNonNull(looper, "looper").getQueue());
        stats.queue.addObserver(stats.timing);
        return stats;
    }

    /**
     * Takes a snapshot. Any thread. Visits every waiting message, to count them; in the monitor queue under its lock.
     *
     * @return the counts so far
     */
    public Snapshot snapshot() {
        return new Snapshot(
                since, clock.nanos(), queue.depth(), queue.oldestWaitNanos(), waits.snapshot(), runs.snapshot());
    }

    /** Stops counting. The counts can still be read. Any thread; may be called again. */
    @Override
    public void close() {
        queue.removeObserver(timing);
    }
}
