package dev.unjank.looper;

import dev.unjank.looper.queue.DeliveryLatency;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.util.Durations;
import dev.unjank.looper.util.LatencyRecorder;
import dev.unjank.looper.util.Nullable;
import java.util.Locale;
import java.util.Objects;

/**
 * Statistics of one looper: counts and times of its messages, from the call of {@link #of} until {@link #close}.
 *
 * <pre>{@code
 * LooperStats stats = LooperStats.of(looper);
 * LooperStats.Snapshot before = stats.snapshot();
 * ...
 * System.out.println(stats.snapshot().since(before));
 * }</pre>
 *
 * <p>All times are measured with the looper's clock. A <i>wait</i> lasts from the due time of a message, or from its
 * sending if that is later, to the start of its delivery; a requested delay does not count. A <i>run</i> is the
 * duration of a delivery; the run of a message that calls {@link Looper#loop()} includes its inner deliveries.
 *
 * <p>The cost is one reading of the clock and two small objects for a message that is sent to run at once, and two
 * readings per delivery. Statistics take no lock: only the looper writes, and a reader may miss the value that is being
 * written. A looper without statistics pays nothing, see {@link MessageObserver}. A looper may have any number of
 * statistics.
 */
public final class LooperStats implements AutoCloseable {
    /**
     * An immutable snapshot of the statistics, or the difference of two snapshots.
     *
     * @param fromNanos the time when counting began, on the looper's clock
     * @param toNanos the time of this snapshot, on the looper's clock
     * @param depth the number of messages that waited at that time, due or not; see {@link MessageQueue#depth()}
     * @param oldestWaitNanos the wait time of the oldest due message; see {@link MessageQueue#oldestWaitNanos()}
     * @param waits the waits of the deliveries, except those of messages that were sent to the front of the queue
     *     before counting began: their time of sending is unknown
     * @param runs the durations of the deliveries
     */
    public record Snapshot(
            long fromNanos,
            long toNanos,
            int depth,
            long oldestWaitNanos,
            LatencyHistogram waits,
            LatencyHistogram runs) {

        /** Creates a snapshot. */
        public Snapshot {
            Objects.requireNonNull(waits, "waits");
            Objects.requireNonNull(runs, "runs");
        }

        /**
         * Returns the number of deliveries per second of the looper's clock.
         *
         * @return messages per second; 0 if no time has passed
         */
        public double messagesPerSecond() {
            return toNanos == fromNanos ? 0 : runs.count() * 1e9 / (toNanos - fromNanos);
        }

        /**
         * Returns the difference to an earlier snapshot of the same statistics.
         *
         * @param earlier the earlier snapshot
         * @return the counts and times between the two snapshots, with the depth and oldest wait of the later one
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

        /** Returns all values on one line. */
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

    /** Measures the times. Its notes are the time of sending, and then the start of the delivery. */
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
     * Starts counting. May be called from any thread.
     *
     * @param looper the looper
     * @return the statistics; close them when they are no longer needed
     */
    public static LooperStats of(Looper looper) {
        LooperStats stats =
                new LooperStats(Objects.requireNonNull(looper, "looper").getQueue());
        stats.queue.addObserver(stats.timing);
        return stats;
    }

    /**
     * Takes a snapshot. May be called from any thread. Visits and counts every waiting message; in the monitor queue
     * under the lock.
     *
     * @return the counts so far
     */
    public Snapshot snapshot() {
        return new Snapshot(
                since,
                clock.nanos(),
                queue.depth(),
                queue.oldestWaitNanos(),
                LatencyHistogram.of(waits),
                LatencyHistogram.of(runs));
    }

    /** Stops counting. The counts can still be read. May be called from any thread; may be called again. */
    @Override
    public void close() {
        queue.removeObserver(timing);
    }
}
