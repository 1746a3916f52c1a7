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
 * The file of a recording, written as a stream in bounded memory. It holds whole packets at every moment, so it can be read
 * whenever the process that writes it ends, and however.
 *
 * <p>All methods may be called by any thread; one lock lets them in one after the other.
 */
public final class RecordingFile implements TraceSink, AutoCloseable {
    private static final long CLOCKS_EVERY_NANOS = 10_000_000_000L;

    private final MachineClocks clocks = new MachineClocks();

    /** The time, in ns of {@link System#nanoTime}. */
    private final LongSupplier time;

    private final Rotation rotation;
    private final int target;
    private final RotatingFiles parts;
    private final TraceMetadata census = new TraceMetadata();
    private final Map<String, Long> lost = new TreeMap<>();

    /** When each part that is kept began, the oldest first. */
    private final Deque<PartStart> partStarts = new ArrayDeque<>();

    /** How many events there have been. */
    private LongSupplier events = () -> 0;

    private volatile RecordingInterval interval = RecordingInterval.ALWAYS;

    private @Nullable TraceSegment segment;
    private long segmentStart;

    /** How much of the part that is being written only says who there is: a part is none without events, however many names there are. */
    private long namesBytes;

    private long lastClocks;
    private @Nullable IOException failure;
    private boolean closed;

    /**
     * Where a part begins.
     *
     * @param ns when
     * @param events how many events there had been by then
     */
    private record PartStart(long ns, long events) {}

    private RecordingFile(RotatingFiles parts, Rotation rotation, LongSupplier time, int target) {
        this.parts = parts;
        this.time = time;
        this.rotation = rotation;
        this.target = target;
    }

    /**
     * Takes a file for a recording, without changing it. Who and what there is may be told from now on; what happens is dropped until the
     * recording {@link #begin}s.
     *
     * @param file where
     * @param rotation how much of it to keep
     * @param target the process that is recorded
     * @return the file, to be closed
     * @throws IOException if it cannot be written, or another recorder writes it
     */
    public static RecordingFile open(Path file, Rotation rotation, int target) throws IOException {
        return new RecordingFile(new RotatingFiles(file), rotation, System::nanoTime, target);
    }

    /**
     * The same, for tests.
     *
     * @param time the time, in ns; it begins near {@link System#nanoTime}
     * @param changed runs after each change of the files
     */
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
            begun = new TraceSegment(out, clocks, start, () -> interval.nearest(time.getAsLong()), census, target);
            begun.flush();
            parts.commit(); // with its names in it: no file is empty, whenever this process is killed
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

    /**
     * The recording begins now, in place of what the file held before.
     *
     * @param told tells how many events there have been
     * @throws IOException if the file cannot be written; it is closed then
     */
    public synchronized void begin(LongSupplier told) throws IOException {
        events = told;
        try {
            nextPart();
            interval = new RecordingInterval(segmentStart, Long.MAX_VALUE);
            partStarts.clear();
            partStarts.add(new PartStart(segmentStart, 0)); // what sources counted before is dropped by no ring
        } catch (IOException e) {
            IOException named =
                    e instanceof FileSystemException ? e : new IOException(parts.file() + ": " + e.getMessage(), e);
            fail(named);
            closed = true;
            throw Cleanup.after(named).then(parts::close).failure();
        }
    }

    /** The recording is over: what happens from now on is no part of it. */
    synchronized void end() {
        long now = time.getAsLong();
        interval = new RecordingInterval(interval.from(), now);
        write(to -> to.clockSnapshot(now));
    }

    /** Says what a ring has dropped, and how much time it has kept: waits that are in it may have begun long before. */
    private void tellOfRing() {
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

    /** How many events a ring has dropped to make room for newer ones. */
    synchronized long droppedEvents() {
        PartStart first = partStarts.peek();
        return first == null ? 0 : first.events;
    }

    /** How much time is in the file, in ns. */
    synchronized long nanos() {
        PartStart first = partStarts.peek();
        return first == null ? 0 : interval.nearest(time.getAsLong()) - first.ns;
    }

    // ---- for sources

    @Override
    public synchronized void process(int pid, int parentPid, String name, boolean isJvm) {
        TraceMetadata.ProcessName process = new TraceMetadata.ProcessName(pid, parentPid, name, isJvm);
        if (census.add(process)) {
            write(to -> to.process(process));
        }
    }

    @Override
    public synchronized void thread(int pid, int tid, String name) {
        TraceMetadata.ThreadName thread = new TraceMetadata.ThreadName(pid, tid, name);
        if (census.add(thread)) {
            write(to -> to.thread(thread));
        }
    }

    @Override
    public synchronized void kernelThread(int pid, int tid, String comm) {
        TraceMetadata.ThreadName thread = new TraceMetadata.ThreadName(pid, tid, comm);
        if (census.addKernels(thread)) {
            write(to -> to.kernelThreads(List.of(thread)));
        }
    }

    @Override
    public synchronized void scheduling(int tid, String name, String policy, int nice, int realTimePriority) {
        TraceMetadata.ThreadScheduling thread =
                new TraceMetadata.ThreadScheduling(tid, name, new Proc.Scheduling(policy, nice, realTimePriority));
        if (census.add(thread)) {
            write(to -> to.scheduling(thread));
        }
    }

    @Override
    public synchronized void gone(int tid) {
        census.remove(tid);
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
            // Once the recording is over, a part grows no older: what sources still tell must not push out what is
            // kept.
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

    /** Says what is recorded and what is not, in each part of the file. */
    synchronized void source(SourceAvailability source) {
        census.put(source);
        write(to -> to.source(source));
    }

    /** What is recorded and what is not, as it is known by now. */
    synchronized List<SourceAvailability> sources() {
        return List.copyOf(census.sources());
    }

    /** Brings everything that sources have given into the file, and from time to time how the clocks stand. */
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

    /** Nothing more can be written. */
    synchronized void fail(IOException e) {
        failure = e;
        try {
            if (segment == null) {
                parts.abandon();
            } else {
                segment.close(); // what is buffered fails once more
            }
        } catch (IOException again) {
            e.addSuppressed(again);
        }
    }

    /**
     * The files that the recording is in, with everything that sources have given until now. The oldest are deleted as the
     * recording goes on.
     *
     * @return them, the oldest first; together they are one trace
     */
    public synchronized List<Path> files() {
        flush();
        return parts.files();
    }

    /** The recording as it is now, of which it is known up to when it is complete. */
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

    /**
     * Why nothing is written any more.
     *
     * @return the failure of the file, null as long as there is none
     */
    public synchronized @Nullable IOException failure() {
        return failure;
    }

    /**
     * How large the recording is, with what is kept of it.
     *
     * @return bytes in files
     */
    public synchronized long bytes() {
        return parts.bytes();
    }

    /**
     * Ends the file. If writing has failed, what was written before is kept; if the recording has never begun, what the file held before.
     *
     * @throws IOException if writing failed, now or earlier
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        if (interval.until() == Long.MAX_VALUE) {
            end();
        }
        tellOfRing();
        closed = true;
        Cleanup ending = failure == null ? new Cleanup().then(this::closeSegment) : Cleanup.after(failure);
        ending.then(parts::abandon).then(this::join).then(parts::close).finish();
    }

    private void join() throws IOException {
        try {
            parts.join();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** How much of a ring has been made one file. Not synchronized: whoever asks does so while the file is being closed. */
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
