package dev.unjank.record.live;

import dev.unjank.record.jvm.BlockedThread;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TemporaryFiles;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recording of the last seconds in a temporary folder, which can be read while it is running. The successive {@link
 * #snapshot}s contain each wait that has ended at least once; {@link Recording.Snapshot#settledUntil} separates new
 * waits from those of the snapshot before.
 *
 * <p>{@link #close} ends the recording, so that a last snapshot has the final events of all sources; {@link #delete}
 * removes the folder.
 */
public final class LiveRecording implements AutoCloseable {
    /**
     * The interval of Flight Recorder files, which is the maximum delay of an event. Each costs the target some
     * milliseconds of CPU time. A snapshot should be taken at least as often.
     */
    public static final Duration PIECE = Duration.ofSeconds(2);

    /**
     * The minimum time that is kept, within {@link #MOST_BYTES}. A longer wait is also kept, since it is written when
     * it ends, but without the earlier activity of its owner. A few times {@link #PIECE}, so that events of a file are
     * read together with those before them.
     */
    private static final Duration KEPT = PIECE.multipliedBy(5);

    private static final long MOST_BYTES = 64L << 20;

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
     * Starts a recording.
     *
     * @param wholeSystem whether wake-ups of other processes are recorded in addition to their context switches
     * @param threshold the minimum duration of waits from inside the JVM
     * @return the recording, to be closed and deleted
     */
    public static LiveRecording start(TargetJvm target, boolean wholeSystem, Duration threshold) throws IOException {
        int pid = target.pid();
        Path folder = TemporaryFiles.folder("watch");
        try {
            List<RecordingSource> sources = new ArrayList<>();
            sources.add(new KernelSource(pid, wholeSystem, false).endingWhen(target::isEnding));
            sources.addAll(target.sources(threshold, PIECE));
            Rotation ring = new Rotation(MOST_BYTES, KEPT.toNanos());
            Proc.Info process = Proc.SYSTEM.process(pid);
            Recording begun = Recording.start(folder.resolve("last-seconds.pftrace"), ring, pid, sources);
            return new LiveRecording(folder, process == null ? "" : process.name(), target, begun);
        } catch (IOException | RuntimeException e) {
            ProcessTempFiles.delete(folder);
            throw e;
        }
    }

    /**
     * The name of the process: a Java program's main class or jar, otherwise the command's name; empty if it has ended
     * already.
     */
    public String processName() {
        return processName;
    }

    /** The states of the sources. */
    public List<SourceAvailability> availability() {
        return recording.availability();
    }

    public Recording.Progress progress() {
        return recording.progress();
    }

    /**
     * Takes a snapshot of the last seconds, to be read soon: the oldest files are deleted while the recording
     * continues.
     */
    public Recording.Snapshot snapshot() {
        return recording.snapshot();
    }

    /** The threads that wait for a lock now, the longest wait first; none where lock owners are not recorded. */
    public List<BlockedThread> blockedNow() {
        return target.blockedNow();
    }

    /** The failure that has ended the recording, null if there is none. */
    public @Nullable IOException failure() {
        return recording.failure();
    }

    /**
     * Ends the recording, and reverts all changes in the target and in the kernel. Fails if writing failed or a change
     * could not be reverted.
     */
    @Override
    public void close() throws IOException {
        recording.close();
    }

    public void delete() {
        ProcessTempFiles.delete(folder);
    }
}
