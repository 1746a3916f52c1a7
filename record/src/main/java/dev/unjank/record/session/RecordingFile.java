package dev.unjank.record.session;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.linux.MachineClocks;
import dev.unjank.record.linux.Proc;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The file of a recording, written as a stream in bounded memory. It contains whole packets at any time, so it is
 * readable even if the recorder is killed.
 *
 * <p>Thread-safe; guarded by one lock.
 */
public final class RecordingFile implements TraceSink, AutoCloseable {
    private static final long CLOCKS_EVERY_NANOS = 10_000_000_000L;

    private final MachineClocks clocks = new MachineClocks();

    /** The time, in ns of {@link System#nanoTime}. */
    private final LongSupplier time;

    private final Rotation rotation;
    private final int target;
    private final RotatingFiles parts;
    private final TraceMetadata metadata = new TraceMetadata();
    private final Map<String, Long> lost = new TreeMap<>();

    /** When each part that is kept began, the oldest first. */
    private final Deque<PartStart> partStarts = new ArrayDeque<>();

    /** The number of events so far. */
    private LongSupplier events = () -> 0;

    private volatile RecordingInterval interval = RecordingInterval.ALWAYS;

    private @Nullable TraceSegment segment;
    private long segmentStart;

    /** The number of bytes of names in the current part, which are excluded from the size for rotation. */
    private long namesBytes;

    private long lastClocks;
    private @Nullable IOException failure;
    private boolean closed;

    /** The start of a part, and the number of events before it. */
    private record PartStart(long ns, long events) {}

    private RecordingFile(RotatingFiles parts, Rotation rotation, LongSupplier time, int target) {
        this.parts = parts;
        this.time = time;
        this.rotation = rotation;
        this.target = target;
    }

    /**
     * Opens a file for a recording, without changing it. Names of processes and threads are accepted from now on;
     * events are dropped until {@link #begin}.
     */
    public static RecordingFile open(Path file, Rotation rotation, int target) throws IOException {
        return new RecordingFile(new RotatingFiles(file), rotation, System::nanoTime, target);
    }

    /** Opens a file with another clock, for tests; {@code changed} runs after each change of the files. */
    static RecordingFile open(Path file, Rotation rotation, int target, LongSupplier time, Runnable changed)
            throws IOException {
        return new RecordingFile(new RotatingFiles(file, changed), rotation, time, target);
    }

    private TraceSegment nextPart() throws IOException {
        long start = interval.nearest(time.getAsLong());
        long eventsBefore = events.getAsLong();
        TraceSegment begun;
        try {
            OutputStream out = parts.next(Rotation.PARTS - 1);
            begun = new TraceSegment(out, clocks, start, () -> interval.nearest(time.getAsLong()), metadata, target);
            begun.flush();
            parts.commit(); // commit now, so that a part always has its names, even if this process is killed
        } catch (IOException e) {
            forgetDroppedParts();
            throw Cleanup.after(e).then(parts::takeBack).failure();
        }
        segment = begun;
        segmentStart = start;
        lastClocks = start;
        namesBytes = parts.partBytes();
        partStarts.add(new PartStart(start, eventsBefore));
        forgetDroppedParts();
        return begun;
    }

    private void forgetDroppedParts() {
        while (partStarts.size() > parts.files().size()) {
            partStarts.remove();
        }
    }

    /** Begins the recording, which replaces the previous content. If that fails, the file is closed. */
    public synchronized void begin(LongSupplier count) throws IOException {
        events = count;
        try {
            nextPart();
            interval = new RecordingInterval(segmentStart, Long.MAX_VALUE);
            partStarts.clear();
            partStarts.add(new PartStart(segmentStart, 0)); // earlier events do not count as dropped
        } catch (IOException e) {
            IOException named =
                    e instanceof FileSystemException ? e : new IOException(parts.file() + ": " + e.getMessage(), e);
            fail(named);
            closed = true;
            throw Cleanup.after(named).then(parts::close).failure();
        }
    }

    /** Ends the interval of the recording; later events are not part of it. */
    synchronized void end() {
        long now = time.getAsLong();
        interval = new RecordingInterval(interval.from(), now);
        write(to -> to.clockSnapshot(now));
    }

    /**
     * Writes a note with the number of events that a ring has dropped and the time that it covers, because kept waits
     * may have begun long before.
     */
    private void noteRing() {
        write(to -> {
            long dropped = droppedEvents();
            if (dropped > 0) {
                Map<String, Object> facts = new TreeMap<>();
                facts.put("events dropped", dropped);
                facts.put("kept ns", nanos());
                to.note(interval.until(), "ring", facts);
            }
        });
    }

    @Override
    public RecordingInterval interval() {
        return interval;
    }

    /** The number of events that a ring has dropped. */
    synchronized long droppedEvents() {
        PartStart first = partStarts.peek();
        return first == null ? 0 : first.events;
    }

    /** The time that the file covers, in ns. */
    synchronized long nanos() {
        PartStart first = partStarts.peek();
        return first == null ? 0 : interval.nearest(time.getAsLong()) - first.ns;
    }

    // ---- for sources

    @Override
    public synchronized void process(int pid, int parentPid, String name, boolean isJvm) {
        TraceMetadata.ProcessName process = new TraceMetadata.ProcessName(pid, parentPid, name, isJvm);
        if (metadata.add(process)) {
            write(to -> to.process(process));
        }
    }

    @Override
    public synchronized void onlyWakeupsOfTarget() {
        metadata.onlyWakeupsOfTarget();
    }

    @Override
    public synchronized void thread(int pid, int tid, String name) {
        TraceMetadata.ThreadName thread = new TraceMetadata.ThreadName(pid, tid, name);
        if (metadata.add(thread)) {
            write(to -> to.thread(thread));
        }
    }

    @Override
    public synchronized void kernelThread(int pid, int tid, String comm) {
        TraceMetadata.ThreadName thread = new TraceMetadata.ThreadName(pid, tid, comm);
        if (metadata.addKernels(thread)) {
            write(to -> to.kernelThreads(List.of(thread)));
        }
    }

    @Override
    public synchronized void scheduling(int tid, String name, String policy, int nice, int realTimePriority) {
        TraceMetadata.ThreadScheduling thread =
                new TraceMetadata.ThreadScheduling(tid, name, new Proc.Scheduling(policy, nice, realTimePriority));
        if (metadata.add(thread)) {
            write(to -> to.scheduling(thread));
        }
    }

    @Override
    public synchronized void gone(int tid) {
        metadata.remove(tid);
    }

    @Override
    public void lost(String source, long events) {
        write(to -> {
            to.lost(source, lost.merge(source, events, Long::sum));
        });
    }

    @Override
    public void ended(String source, String reason) {
        source(SourceAvailability.ended(source, reason));
    }

    @Override
    public synchronized void write(Batch batch) {
        TraceSegment current = segment;
        if (current == null || failure != null || closed) {
            return;
        }
        try {
            // after the end of the recording parts are not rotated by time, so that late events do not evict kept
            // events
            if (rotation.isFull(parts.partBytes() - namesBytes, interval.nearest(time.getAsLong()) - segmentStart)) {
                current.close();
                current = nextPart();
            }
            batch.write(current);
        } catch (IOException e) {
            fail(e);
        }
    }

    // ---- for the recording

    /** Sets the availability of a source, which each part contains. */
    synchronized void source(SourceAvailability source) {
        metadata.put(source);
        write(to -> to.source(source));
    }

    synchronized List<SourceAvailability> sources() {
        return List.copyOf(metadata.sources());
    }

    /** Flushes all events to the file, and periodically writes a clock snapshot. */
    public void flush() {
        write(to -> {
            long now = time.getAsLong();
            if (now - lastClocks >= CLOCKS_EVERY_NANOS && now < interval.until()) {
                lastClocks = now;
                to.clockSnapshot(now);
            }
            to.flush();
        });
    }

    /** Handles a write failure: later events are dropped. */
    synchronized void fail(IOException e) {
        failure = e;
        try {
            if (segment == null) {
                parts.abandon();
            } else {
                segment.close(); // flushing fails again
            }
        } catch (IOException again) {
            e.addSuppressed(again);
        }
    }

    /**
     * The flushed files of the recording, the oldest first; together one trace. The oldest are deleted while the
     * recording continues.
     */
    public synchronized List<Path> files() {
        flush();
        return parts.files();
    }

    synchronized Recording.Snapshot snapshot(long settledUntil) {
        PartStart first = partStarts.peek();
        return new Recording.Snapshot(
                files(),
                traceTime(first == null ? settledUntil : first.ns),
                traceTime(settledUntil),
                traceTime(System.nanoTime()),
                Instant.now());
    }

    /** A time of {@link System#nanoTime} on the trace's clock. */
    synchronized long traceTime(long nanos) {
        return nanos + clocks.bootOffset();
    }

    /** The failure of the file, null if there is none. */
    public synchronized @Nullable IOException failure() {
        return failure;
    }

    /** The size of the kept files, in bytes. */
    public synchronized long bytes() {
        return parts.bytes();
    }

    /**
     * Ends the file. If writing has failed, the earlier packets are kept. If the recording never began, the previous
     * content is kept.
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        if (interval.until() == Long.MAX_VALUE) {
            end();
        }
        noteRing();
        closed = true;
        Cleanup cleanup = failure == null ? new Cleanup().then(this::closeSegment) : Cleanup.after(failure);
        cleanup.then(parts::abandon).then(this::join).then(parts::close).finish();
    }

    private void join() throws IOException {
        try {
            parts.join();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** The number of joined bytes. Not synchronized, since it is read while the file is being closed. */
    long joinedBytes() {
        return parts.joinedBytes();
    }

    private void closeSegment() throws IOException {
        if (segment != null) {
            try {
                segment.close();
            } catch (IOException e) {
                fail(e);
                throw e;
            }
        }
    }
}
