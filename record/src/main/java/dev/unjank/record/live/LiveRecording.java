package dev.unjank.record.live;

import dev.unjank.record.jvm.BlockedThread;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A recording of which only the last seconds are kept, to be read while it goes on: in a temporary folder, as the same files
 * that a {@link Recording} leaves. Whoever reads one {@link #snapshot} after the other sees each thing that has ended at least
 * once, and knows by {@link Recording.Snapshot#settledUntil} which are new.
 *
 * <p>{@link #close} ends the recording, so that a last snapshot has all that sources tell at their end; {@link #delete} removes
 * the folder.
 */
public final class LiveRecording implements AutoCloseable {
    /**
     * How long after its end something is known at most. So often the target's Flight Recorder is asked, which costs the target some
     * milliseconds of a CPU, and so often at least a snapshot is to be taken.
     */
    public static final Duration PIECE = Duration.ofSeconds(2);

    /**
     * What is kept at least, unless it is too much. A longer wait is kept, too: it is told when it ends. What its owner did before this is
     * not. A few times as long as a piece, so that what is told is still there together with what came before it.
     */
    private static final Duration KEPT = PIECE.multipliedBy(5);

    private static final long MOST_BYTES = 64L << 20;

    private static final String PREFIX = "unjank-watch-";

    private final Path folder;
    private final String processName;
    private final TargetJvm target;
    private final Recording recording;

    private LiveRecording(Path folder, String processName, TargetJvm target, Recording recording) {
        this.folder = folder;
        this.processName = processName;
        this.target = target;
        this.recording = recording;
    }

    /**
     * Begins.
     *
     * @param target the process
     * @param wholeSystem whether everything is recorded of the other processes too, not only when they run
     * @param threshold what took less than this is not recorded from inside a virtual machine
     * @return the recording, to be closed and deleted
     * @throws IOException if the temporary folder cannot be written
     */
    public static LiveRecording start(TargetJvm target, boolean wholeSystem, Duration threshold) throws IOException {
        int pid = target.pid();
        Path folder = folder();
        try {
            List<RecordingSource> sources = new ArrayList<>();
            sources.add(new KernelSource(pid, wholeSystem, false));
            sources.addAll(target.sources(threshold, PIECE));
            Rotation ring = new Rotation(MOST_BYTES, KEPT.toNanos());
            Proc.Info process = Proc.SYSTEM.process(pid);
            Recording begun = Recording.start(folder.resolve("last-seconds.pftrace"), ring, pid, sources);
            return new LiveRecording(folder, process == null ? "" : process.name(), target, begun);
        } catch (IOException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    /** A folder that only this user may read. What killed recorders have left is deleted first. */
    private static Path folder() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        ProcessTempFiles.deleteLeftovers(temporary, PREFIX, "");
        return Files.createDirectory(
                temporary.resolve(ProcessTempFiles.uniqueName(PREFIX, "")),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * What the process runs.
     *
     * @return a Java program's main class or jar, else the command's name; empty if it has gone already
     */
    public String processName() {
        return processName;
    }

    /**
     * What is recorded and what is not.
     *
     * @return one for each source
     */
    public List<SourceAvailability> availability() {
        return recording.availability();
    }

    /**
     * How much has been recorded so far.
     *
     * @return the figures
     */
    public Recording.Progress progress() {
        return recording.progress();
    }

    /**
     * The last seconds.
     *
     * @return files to be read soon: the oldest are deleted as the recording goes on
     */
    public Recording.Snapshot snapshot() {
        return recording.snapshot();
    }

    /**
     * Who waits for a lock that another thread has, at this moment.
     *
     * @return them, those that have waited for longest first; nobody where owners of locks are not recorded
     */
    public List<BlockedThread> blockedNow() {
        return target.blockedNow();
    }

    /**
     * Why the recording has ended by itself.
     *
     * @return the failure, null while all is well
     */
    public @Nullable IOException failure() {
        return recording.failure();
    }

    /**
     * Ends the recording, and restores what was changed in the target and in the kernel.
     *
     * @throws IOException if writing had failed, or something is left behind
     */
    @Override
    public void close() throws IOException {
        recording.close();
    }

    /**
     * Removes the recording.
     *
     * @throws IOException if that fails
     */
    public void delete() throws IOException {
        delete(folder);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        Files.delete(folder);
    }
}
