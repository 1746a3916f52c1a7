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
 * Records the messages of loopers as a Perfetto trace: a slice for each delivery, an instant for each send, a flow from the send to
 * the delivery, and a counter of queued messages.
 *
 * {@snippet :
 * try (LooperTrace trace = LooperTrace.start(Files.newOutputStream(file))) {
 *     trace.watch(looper);
 *     ...
 * }
 * }
 *
 * <p><b>Cost.</b> Senders and loopers put events into buffers of fixed size and never wait; a daemon thread writes them to the
 * stream a few milliseconds later. Events that find their buffer full are lost; the trace contains their number. A send costs one
 * reading of the clock and a small object, a delivery two readings, an object and its name. Other loopers cost nothing.
 *
 * <p>The depth of a queue is counted every 10 ms, less often if there are so many messages that this would take more than a
 * fiftieth of the time. In a monitor queue it is counted under the queue's lock, which then stands in the way of senders and
 * looper as any other thread's work in the queue does.
 *
 * <p>Times are those of {@link Clock#system()}; loopers with another clock are recorded on this one too, but how long a message
 * is meant to wait comes out wrong for them.
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

    /** A trace without a thread: {@link #round} writes the buffered events. */
    static LooperTrace byHand(OutputStream out, Clock clock, int buffers, int capacity) throws IOException {
        return new LooperTrace(out, clock, buffers, capacity);
    }

    /**
     * Records a looper's messages from now on. A message that waits already is recorded when it is delivered, without its
     * sending. Any thread; a looper that is recorded already is left alone, and so are all once the trace is closed.
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
     * Stops recording a looper. A delivery that is under way is still recorded. Any thread.
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
     * Returns the number of events lost because they came faster than they could be written. Any thread.
     *
     * @return the count so far
     */
    public long lostMarks() {
        return buffers.lost();
    }

    /**
     * Ends the trace: writes buffered events and, without an end, current deliveries, and closes the stream. Idempotent.
     *
     * @throws IOException if the stream failed, now or earlier; the trace ends where it did
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

    /** The writer has failed: no thread drains the buffers any more. */
    private void abandon() {
        removeObservers();
        writer.abandon();
    }

    private void removeObservers() {
        loopers.values().forEach(marks -> marks.looper.removeObserver(marks));
    }
}
