package dev.unjank.record;

import dev.unjank.looper.Looper;
import dev.unjank.looper.spi.Clock;
import dev.unjank.record.lifecycle.PeriodicThread;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Records the messages of loopers as a Perfetto trace: a slice for each delivery, an instant for each send, a flow from
 * the send to the delivery, and a counter of queued messages.
 *
 * {@snippet :
 * try (LooperTrace trace = LooperTrace.start(Files.newOutputStream(file))) {
 *     trace.watch(looper);
 *     ...
 * }
 * }
 *
 * <p><b>Cost.</b> Senders and loopers put events into buffers of fixed size and never wait; a daemon thread writes them
 * to the stream a few milliseconds later. Events that find their buffer full are lost; the trace contains their number.
 * A send costs one clock read and a small object; a delivery costs two clock reads, an object and a string for the
 * slice's name. Loopers that are not recorded have no overhead.
 *
 * <p>The queue depth is counted every 10 ms, or less often if counting would take more than 2 % of the time. In a
 * monitor queue it is counted while holding the queue's lock, which blocks senders and the looper for that time.
 *
 * <p>Times are those of {@link Clock#system()}; loopers with another clock are also recorded on this clock, but the
 * delays of their messages are wrong.
 */
public final class LooperTrace implements AutoCloseable {
    private static final int BUFFERS = 8;
    private static final int MARKS_PER_BUFFER = 1 << 14;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Clock clock;
    private final StripedEventBuffer buffers;
    private final MessageEventWriter writer;
    private final Map<Looper, LooperEventRecorder> loopers = new ConcurrentHashMap<>();
    private @Nullable PeriodicThread rounds;
    private boolean closing;

    private LooperTrace(OutputStream out, Clock clock, int count, int capacity) throws IOException {
        this.clock = clock;
        buffers = new StripedEventBuffer(count, capacity);
        writer = new MessageEventWriter(out, clock, buffers, capacity);
    }

    /**
     * Starts a trace.
     *
     * @param out the destination. Written by one thread, and closed with this trace
     * @return the trace, to be closed
     * @throws IOException if the stream fails
     */
    public static LooperTrace start(OutputStream out) throws IOException {
        LooperTrace trace = new LooperTrace(out, Clock.system(), BUFFERS, MARKS_PER_BUFFER);
        trace.rounds = PeriodicThread.start(
                "looper-trace",
                () -> {
                    trace.round();
                    return PAUSE_NANOS;
                },
                _ -> trace.abandon());
        return trace;
    }

    /** Creates a trace without a writer thread, for tests: {@link #round} writes the buffered events. */
    static LooperTrace byHand(OutputStream out, Clock clock, int buffers, int capacity) throws IOException {
        return new LooperTrace(out, clock, buffers, capacity);
    }

    /**
     * Records a looper's messages from now on. A message that is already queued is recorded when it is delivered,
     * without its send. Has no effect if the looper is already recorded or the trace is closed. Thread-safe.
     *
     * @param looper the looper
     */
    public synchronized void watch(Looper looper) {
        LooperEventRecorder marks = new LooperEventRecorder(looper, clock, buffers);
        if (!closing && loopers.putIfAbsent(looper, marks) == null) {
            looper.addObserver(marks);
        }
    }

    /**
     * Stops recording a looper. A current delivery is still recorded. Thread-safe.
     *
     * @param looper the looper
     */
    public synchronized void unwatch(Looper looper) {
        LooperEventRecorder marks = loopers.remove(looper);
        if (marks != null) {
            looper.removeObserver(marks);
        }
    }

    /**
     * Returns the number of events lost because buffers were full. Thread-safe.
     *
     * @return the count so far
     */
    public long lostMarks() {
        return buffers.lost();
    }

    /**
     * Ends the trace: writes the buffered events, writes current deliveries as slices without an end, and closes the
     * stream. Idempotent.
     *
     * @throws IOException if the stream fails or failed earlier; the trace then ends at the failure
     */
    @Override
    public synchronized void close() throws IOException {
        if (closing) {
            return;
        }
        closing = true;
        removeObservers();
        if (rounds != null) {
            rounds.stop();
        }
        Throwable thrown = rounds == null ? null : rounds.failure();
        if (thrown == null) {
            try {
                writer.finish(loopers.values());
            } catch (IOException e) {
                thrown = e;
            }
        }
        loopers.clear();
        if (thrown != null) {
            throw new IOException("the end of the trace could not be written: " + thrown.getMessage(), thrown);
        }
    }

    /** Writes the buffered events. */
    void round() throws IOException {
        writer.round(loopers.values());
    }

    /** Stops recording after a write failure, since no thread drains the buffers any more. */
    private void abandon() {
        removeObservers();
        writer.abandon();
    }

    private void removeObservers() {
        loopers.values().forEach(marks -> marks.looper.removeObserver(marks));
    }
}
