package dev.unjank.record;

import dev.unjank.looper.spi.Clock;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Drains the event buffers and writes track events, as {@code docs/reference/marks.md} describes them. Used by one
 * thread. Each call of {@link #round} is short and complete, so tests can call it directly.
 */
final class MessageEventWriter {
    static final String CATEGORY = "mq";

    /** Android's name of the same event. */
    static final String SEND = "message_queue_send";

    static final String DEPTH = "messages waiting";
    static final String LOST = "lost marks";

    /** The number of threads to remember as described; beyond it, names are written again. */
    private static final int MAX_DESCRIBED = 1 << 14;

    private static final long DEPTH_EVERY_NANOS = 10_000_000;

    /** Counting the depth visits every message, so it may take at most 1/50 of the time. */
    private static final int DEPTH_SHARE = 50;

    private static final int STREAM_BUFFER = 1 << 16;

    /** The end of the fixed part of a lambda's class name; the address behind it differs in each run. */
    private static final String LAMBDA = "$$Lambda";

    private final Clock clock;
    private final StripedEventBuffer buffers;
    private final int marksPerRound;
    private final TraceWriter writer;
    private final TrackEventWriter events;
    private final long process = TrackWriter.ofProcess(ThreadIdentity.PID);
    private final Set<Long> described = new HashSet<>();

    /** The last written queue depth of each looper. */
    private final Map<LooperEventRecorder, Integer> depths = new HashMap<>();

    private long nextDepths = Long.MIN_VALUE;
    private long lost;

    /** Begins a trace on a stream. A round takes at most {@code marksPerRound} events from each buffer. */
    MessageEventWriter(OutputStream out, Clock clock, StripedEventBuffer buffers, int marksPerRound)
            throws IOException {
        this.clock = clock;
        this.buffers = buffers;
        this.marksPerRound = marksPerRound;
        writer = new TraceWriter(new BufferedOutputStream(out, STREAM_BUFFER), WireFormat.COMPACT);
        events = writer.trackEvents(TraceClock.MONOTONIC, process);
        long now = clock.nanos();
        writer.clockSnapshot(now, System.currentTimeMillis() * 1_000_000);
        events.tracks().process(now, ThreadIdentity.PID, processName());
        events.tracks().counter(now, process, LOST, TrackWriter.Unit.COUNT);
        events.counter(now, lostTrack(), 0);
    }

    /** Writes the buffered events and the depths of the queues. */
    void round(Collection<LooperEventRecorder> loopers) throws IOException {
        for (int buffer = 0; buffer < buffers.count(); buffer++) {
            for (int i = 0; i < marksPerRound; i++) {
                MessageEvent mark = buffers.poll(buffer);
                if (mark == null) {
                    break;
                }
                write(mark);
            }
        }
        writeLost();
        depths.keySet().retainAll(loopers);
        if (clock.nanos() >= nextDepths) {
            writeDepths(loopers);
        }
        writer.flush();
    }

    /** Writes the remaining events, writes current deliveries as slices without an end, and closes the stream. */
    void finish(Collection<LooperEventRecorder> loopers) throws IOException {
        try (writer) {
            // collected before the drain: a delivery that ends in between is marked as written
            Deque<MessageEvent.Run> open = new ArrayDeque<>();
            for (LooperEventRecorder looper : loopers) {
                for (MessageEvent.Run run = looper.current(); run != null; run = run.outer) {
                    open.push(run);
                }
            }
            nextDepths = Long.MIN_VALUE;
            round(loopers);
            for (MessageEvent.Run run : open) {
                if (!run.written) {
                    begin(run);
                }
            }
        }
    }

    /** Closes the stream after a failure. */
    void abandon() {
        try {
            writer.close();
        } catch (IOException e) {
            // the first failure was reported
        }
    }

    private void write(MessageEvent mark) throws IOException {
        switch (mark) {
            case MessageEvent.Send send ->
                events.instant(send.ts(), track(send.sender(), send.ts()), CATEGORY, SEND)
                        .flow(flow(send))
                        .messageQueue(send.sender().name, send.receiver(), send.what(), send.delayMs())
                        .write();
            case MessageEvent.Run run -> {
                begin(run);
                events.end(run.end, TrackWriter.ofThread(ThreadIdentity.PID, run.looper.tid))
                        .write();
                run.written = true;
            }
        }
    }

    private void begin(MessageEvent.Run run) throws IOException {
        TrackEventWriter.Event event =
                events.begin(run.start, track(run.looper, run.start), CATEGORY, lasting(run.name));
        MessageEvent.@Nullable Send send = run.send;
        if (send == null) {
            event.messageQueue(null, run.looper.name, run.what, -1);
        } else {
            event.terminatingFlow(flow(send))
                    .messageQueue(send.sender().name, send.receiver(), run.what, send.delayMs());
        }
        event.write();
    }

    /** Removes the part of a name that differs between runs. */
    private static String lasting(String name) {
        int lambda = name.lastIndexOf(LAMBDA + "/0x");
        return lambda < 0 ? name : name.substring(0, lambda + LAMBDA.length());
    }

    /** Flow ids are shared by all processes in a trace; the XOR makes them unique. */
    private long flow(MessageEvent.Send send) {
        return send.flow() ^ process;
    }

    /** The track of a thread; describes the track first if necessary. */
    private long track(ThreadIdentity who, long ts) throws IOException {
        if (described.size() == MAX_DESCRIBED) {
            described.clear();
        }
        if (described.add(who.javaId)) {
            events.tracks().thread(ts, ThreadIdentity.PID, who.tid, who.name);
        }
        return TrackWriter.ofThread(ThreadIdentity.PID, who.tid);
    }

    private void writeLost() throws IOException {
        long now = buffers.lost();
        if (now > lost) {
            lost = now;
            events.dataLoss();
            events.counter(clock.nanos(), lostTrack(), now);
        }
    }

    private long lostTrack() {
        return TrackWriter.ofCounter(process, LOST);
    }

    private void writeDepths(Collection<LooperEventRecorder> loopers) throws IOException {
        long start = clock.nanos();
        for (LooperEventRecorder looper : loopers) {
            ThreadIdentity thread = looper.thread();
            if (thread == null) {
                continue; // its thread is not known yet
            }
            long track = track(thread, start);
            int depth = looper.looper.getQueue().depth();
            Integer before = depths.put(looper, depth);
            if (before == null) {
                events.tracks().counter(start, track, DEPTH, TrackWriter.Unit.COUNT);
            }
            if (before == null || before != depth) {
                events.counter(clock.nanos(), TrackWriter.ofCounter(track, DEPTH), depth);
            }
        }
        long end = clock.nanos();
        nextDepths = end + Math.max(DEPTH_EVERY_NANOS, (end - start) * DEPTH_SHARE);
    }

    /** The first word of the command: a class or a jar. */
    private static String processName() {
        String command = System.getProperty("sun.java.command", "java");
        int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }
}
