package dev.unjank.record.session;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.lifecycle.PeriodicThread;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A recording of one process, under way: its sources, and the file that they write. Closing it ends the sources, restores what
 * they changed, and leaves a whole file; so it does when the file has failed, or the target has gone.
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

    /** Those that were asked whether they can be recorded. */
    private final List<RecordingSource> probed = new ArrayList<>();

    private @Nullable PeriodicThread flusher;
    private boolean hasBegun;
    private boolean closed;

    private Recording(RecordingFile file) {
        this.file = file;
    }

    /**
     * The same for whoever wants to know of the sources when all of them are on.
     *
     * @param file where it goes, replacing what is there once something is recorded
     * @param rotation how much of it to keep
     * @param target the process that is recorded
     * @param sources what to record; started in this order
     * @return the recording, to be closed
     * @throws IOException if the file cannot be written
     */
    public static Recording start(Path file, Rotation rotation, int target, List<? extends RecordingSource> sources)
            throws IOException {
        return start(file, rotation, target, sources, _ -> {});
    }

    /**
     * Begins a recording with those of some sources that can be recorded. That none of them can is no failure of this method: the file is
     * then left as it was. When it returns, all of them are on; what they saw or did before they all were is not in the file.
     *
     * @param file where it goes, replacing what is there once something is recorded
     * @param rotation how much of it to keep
     * @param target the process that is recorded
     * @param sources what to record; started in this order
     * @param told is told of each source, in this order, as soon as it is known whether it can be recorded: that may take seconds
     * @return the recording, to be closed
     * @throws IOException if the file cannot be written
     */
    public static Recording start(
            Path file,
            Rotation rotation,
            int target,
            List<? extends RecordingSource> sources,
            Consumer<? super SourceAvailability> told)
            throws IOException {
        Recording recording = new Recording(RecordingFile.open(file, rotation, target));
        try {
            sources.forEach(source -> told.accept(recording.add(source)));
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

    /** The file begins when all sources have, however long that takes: what is in it they all were on for. */
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
     * What is recorded and what is not, as it is known by now: a source may end early. Any thread.
     *
     * @return one for each source, in their order; unmodifiable
     */
    public List<SourceAvailability> availability() {
        return file.sources();
    }

    /**
     * Where the recording is: more than one file while a ring is written, and after it could not be made one. Any thread.
     *
     * @return the files, the oldest first; together they are one trace
     */
    public List<Path> files() {
        return file.files();
    }

    /**
     * What has been recorded so far, to be read while the recording goes on. Any thread.
     *
     * @return the files, and up to when they are complete
     */
    public Snapshot snapshot() {
        long settledUntil = System.nanoTime();
        for (RecordingSource source : sources) {
            settledUntil = Math.min(settledUntil, source.settledUntil());
        }
        return file.snapshot(settledUntil);
    }

    /**
     * A recording as it is at some moment.
     *
     * @param files traces, the oldest first, that are one together; a ring deletes the oldest before long
     * @param keptFrom all that was told of what happened since is in them; on the clock of the trace
     * @param settledUntil all sources have told everything that ended before; on the clock of the trace
     * @param takenAt the moment, on the clock of the trace
     * @param takenAtInstant the same moment as people call it, by the machine's clock of that moment
     */
    public record Snapshot(List<Path> files, long keptFrom, long settledUntil, long takenAt, Instant takenAtInstant) {
        /** Keeps its own copy of the list. */
        public Snapshot {
            files = List.copyOf(files);
        }
    }

    /**
     * How much has been recorded so far. Any thread.
     *
     * @return the figures
     */
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
     * How much of a ring has been made one file by {@link #close}, which may take long. Any thread.
     *
     * @return bytes
     */
    public long joinedBytes() {
        return file.joinedBytes();
    }

    /**
     * How much has been recorded.
     *
     * @param bytes what the file has, or its parts together
     * @param time how much time is in it
     * @param events how many events it has
     * @param dropped how many older ones a ring has dropped to make room, as it was told to
     * @param lost how many events were lost
     */
    public record Progress(long bytes, Duration time, long events, long dropped, long lost) {}

    /**
     * Why the recording has ended by itself. Any thread.
     *
     * @return the file's failure, null while all is well
     */
    public @Nullable IOException failure() {
        return file.failure();
    }

    /**
     * Ends the sources, in the reverse order of their start, but those last that need the target's help; and the file. Each is ended
     * whatever becomes of the others. May be called again, to no effect.
     *
     * @throws IOException if the file failed, now or earlier, or if a source left something behind; the file is whole even so
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Cleanup ending = new Cleanup();
        if (hasBegun) {
            sources.reversed().forEach(source -> ending.then(source::end));
            ending.then(file::end);
        }
        for (boolean asking : new boolean[] {false, true}) {
            sources.reversed().stream()
                    .filter(source -> source.asksTarget() == asking)
                    .forEach(source -> ending.then(source::stop));
        }
        probed.reversed().forEach(source -> ending.then(source::close));
        if (flusher != null) {
            ending.then(flusher::stop);
        }
        ending.then(file::close).finish();
    }
}
