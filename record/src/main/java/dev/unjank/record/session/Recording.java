package dev.unjank.record.session;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A recording of one process: its sources, and the file that they write. Closing it stops the sources, reverts their
 * changes, and leaves a valid file, even if writing has failed or the target has ended.
 *
 * {@snippet :
 * try (Recording recording = Recording.start(file, Rotation.NONE, pid, sources)) {
 *     recording.availability().forEach(System.err::println);
 *     ...
 * }
 * }
 */
public final class Recording implements AutoCloseable {
    private static final long FLUSH_EVERY_NANOS = 200_000_000;

    private final RecordingFile file;
    private final List<RecordingSource> sources = new ArrayList<>();

    /** The probed sources, including unavailable ones. */
    private final List<RecordingSource> probed = new ArrayList<>();

    private @Nullable PeriodicThread flusher;
    private boolean hasBegun;
    private boolean closed;

    private Recording(RecordingFile file) {
        this.file = file;
    }

    /** Starts a recording without a listener for sources. */
    public static Recording start(Path file, Rotation rotation, int target, List<? extends RecordingSource> sources)
            throws IOException {
        return start(file, rotation, target, sources, _ -> {});
    }

    /**
     * Starts a recording with the available sources. If none is available, the file is not changed; this is not a
     * failure. Events are written from the moment when all available sources are on. This method returns after that.
     *
     * @param file the output file, which is replaced when the recording begins
     * @param sources the sources, started in this order
     * @param listener receives the availability of each source, in this order; starting a source may take seconds
     * @return the recording, to be closed
     */
    public static Recording start(
            Path file,
            Rotation rotation,
            int target,
            List<? extends RecordingSource> sources,
            Consumer<? super SourceAvailability> listener)
            throws IOException {
        ProcessTempFiles.deleteLeftovers(); // of recorders that were killed
        Recording recording = new Recording(RecordingFile.open(file, rotation, target));
        try {
            sources.forEach(source -> listener.accept(recording.add(source)));
            if (!recording.sources.isEmpty()) {
                recording.begin();
            }
            return recording;
        } catch (Throwable e) {
            throw Cleanup.after(e).then(recording::close).failure();
        }
    }

    private SourceAvailability add(RecordingSource source) {
        probed.add(source);
        SourceAvailability found = source.probe();
        if (found.isOn()) {
            try {
                source.start(file);
                sources.add(source);
            } catch (IOException | RuntimeException e) {
                found = SourceAvailability.off(found.source(), "failed to start: " + Cleanup.message(e), null);
            }
        }
        file.source(found);
        return found;
    }

    /** Begins the file after all sources, so that all of them were on for the whole file. */
    private void begin() throws IOException {
        hasBegun = true;
        for (RecordingSource source : sources) {
            source.begin();
        }
        file.begin(this::events);
        flusher = PeriodicThread.start(
                "recording",
                () -> {
                    file.flush();
                    return FLUSH_EVERY_NANOS;
                },
                e -> file.fail(Cleanup.after(e).failure()));
    }

    private long events() {
        return sources.stream().mapToLong(RecordingSource::events).sum();
    }

    /**
     * The availability of each source, in the order of the sources; unmodifiable. A source may end while the recording
     * continues. Thread-safe.
     */
    public List<SourceAvailability> availability() {
        return file.sources();
    }

    /**
     * The files of the recording, the oldest first; together they are one trace. There are several files while a ring
     * is written, or if its parts could not be joined. Thread-safe.
     */
    public List<Path> files() {
        return file.files();
    }

    /** Takes a snapshot of the recording, which can be read while the recording continues. Thread-safe. */
    public Snapshot snapshot() {
        long settledUntil = System.nanoTime();
        for (RecordingSource source : sources) {
            settledUntil = Math.min(settledUntil, source.settledUntil());
        }
        return file.snapshot(settledUntil);
    }

    /**
     * A snapshot of a recording. Times are on the clock of the trace.
     *
     * @param files the files, the oldest first; together one trace; a ring soon deletes the oldest
     * @param keptFrom the files contain all recorded events since this time
     * @param settledUntil all events that ended before this time have been recorded
     */
    public record Snapshot(List<Path> files, long keptFrom, long settledUntil, long takenAt, Instant takenAtInstant) {
        /** Keeps its own copy of the list. */
        public Snapshot {
            files = List.copyOf(files);
        }
    }

    /** The progress of the recording. Thread-safe. */
    public Progress progress() {
        long dropped = file.droppedEvents();
        return new Progress(
                file.bytes(),
                Duration.ofNanos(file.nanos()),
                Math.max(0, events() - dropped),
                dropped,
                sources.stream().mapToLong(RecordingSource::lost).sum());
    }

    /**
     * The number of bytes that {@link #close} has joined so far. Joining the parts of a ring may take long.
     * Thread-safe.
     */
    public long joinedBytes() {
        return file.joinedBytes();
    }

    /**
     * The progress of a recording.
     *
     * @param bytes the size of the file, or of all parts
     * @param dropped the number of older events that the ring has dropped
     */
    public record Progress(long bytes, Duration time, long events, long dropped, long lost) {}

    /** The write error that ended the recording; null if there is none. Thread-safe. */
    public @Nullable IOException failure() {
        return file.failure();
    }

    /**
     * Stops the sources and ends the file. Sources stop in the reverse order of their start, but those that need the
     * target stop after all others. The file is valid even if a step fails. Idempotent.
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Cleanup cleanup = new Cleanup();
        if (hasBegun) {
            sources.reversed().forEach(source -> cleanup.then(source::end));
            cleanup.then(file::end);
        }
        for (boolean asking : new boolean[] {false, true}) {
            sources.reversed().stream()
                    .filter(source -> source.asksTarget() == asking)
                    .forEach(source -> cleanup.then(source::stop));
        }
        probed.reversed().forEach(source -> cleanup.then(source::close));
        if (flusher != null) {
            cleanup.then(flusher::stop);
        }
        cleanup.then(file::close).finish();
    }
}
