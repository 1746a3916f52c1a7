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
 * Records the messages of loopers as a trace in Perfetto's format: a slice for each delivery, a mark for each sending, an arrow
 * from the one to the other, and a counter of how many messages wait. Perfetto's own viewer shows it.
 *
 * {@snippet :
 * try (LooperTrace trace = LooperTrace.start(Files.newOutputStream(file))) {
 *     trace.watch(looper);
 *     ...
 * }
 * }
 *
 * <p><b>What it costs.</b> Senders and loopers put their marks into buffers of fixed size and never wait for anybody; a thread of
 * its own writes them to the stream a few milliseconds later. What finds its buffer full is lost; how much that was is written
 * into the trace. Sending costs a reading of the clock and a small object more than without, a delivery two readings, an
 * object and its name. Loopers that are not watched cost nothing.
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
     * Begins a trace that holds nothing yet.
     *
     * @param out where it goes: a file, a socket, memory. Written to by one thread, and closed with this trace
     * @return the trace, to be closed when it is to end
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

    /** A trace without a thread: {@link #round} writes what is in the buffers. */
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
     * Tells how many marks were lost because they came faster than they could be written. Any thread.
     *
     * @return the count so far
     */
    public long lostMarks() {
        return buffers.lost();
    }

    /**
     * Ends the trace: what has been put down so far is written, deliveries that are under way are written without an end, and the
     * stream is closed. May be called again, to no effect.
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
            throw new IOException("The trace could not be written to its end: " + thrown.getMessage(), thrown);
        }
    }

    /** Writes what has been put down so far. */
    void round() throws IOException {
        writer.round(loopers.values());
    }

    /** Nobody takes marks out any more. */
    private void abandon() {
        removeObservers();
        writer.abandon();
    }

    private void removeObservers() {
        loopers.values().forEach(marks -> marks.looper.removeObserver(marks));
    }
}
