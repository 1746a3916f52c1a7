package dev.unjank.fleet.run;

import dev.unjank.fleet.folder.ParquetPartWriter;
import dev.unjank.fleet.input.ReadTimeLimit;
import dev.unjank.fleet.input.TraceArchive;
import dev.unjank.fleet.input.TraceExtraction;
import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task on one partition of a fleet, on a worker of a cluster. Its rows become one part. As in {@link LocalRun},
 * archives are read, a trace that exceeds the time limit becomes a failure, and memory usage does not depend on the
 * number of traces.
 */
public final class PartitionRun {
    private final TraceTask task;
    private final Path temporary;
    private final boolean isLastTry;
    private final ReadTimeLimit time;

    private PartitionRun(TraceTask task, Path temporary, boolean isLastTry) {
        this.task = task;
        this.temporary = temporary;
        this.isLastTry = isLastTry;
        time = new ReadTimeLimit(task.limits().time());
    }

    /**
     * The result of a partition. It is stuck if traces remain because too many other traces in this process are stuck.
     */
    public record Result(RunTotals tally, boolean isStuck) {}

    /** A file, perhaps on another machine. */
    public interface Source {
        /** {@return its name in the rows} */
        String name();

        /** {@return its size in bytes} */
        long bytes();

        /** {@return whether it was found in a folder or by a pattern; false if it was named explicitly} */
        boolean isFound();

        /** {@return whether it is a folder that could not be listed} */
        boolean isFolder();

        /**
         * {@return for an archive, the names with results of an earlier run: of traces in the archive, or of the
         * archive itself if it failed}
         */
        Set<String> done();

        /** {@return its path on this machine; null if it is elsewhere} */
        @Nullable
        Path here();

        /** Opens its bytes; the caller closes the stream. */
        InputStream open() throws IOException;
    }

    /**
     * Processes traces, and writes their rows if there are any.
     *
     * @param sources the traces; iterated on another thread
     * @param scratch a folder, as a real path
     * @param part the name of the part, a folder in {@code scratch}
     * @param isLastTry whether an unreadable file becomes a failure in the results; otherwise the partition fails and
     *     is retried
     * @throws IOException if rows cannot be written, or a file cannot be read
     */
    public static Result run(
            TraceTask task, Iterator<? extends Source> sources, Path scratch, String part, boolean isLastTry)
            throws IOException {
        return run(task, sources, scratch, part, isLastTry, AdmissionGate.OF_THIS_VM);
    }

    /** Processes traces with a given gate, for tests. */
    static Result run(
            TraceTask task,
            Iterator<? extends Source> sources,
            Path scratch,
            String part,
            boolean isLastTry,
            AdmissionGate gate)
            throws IOException {
        PartitionRun partition = new PartitionRun(task, Files.createDirectory(scratch.resolve("traces")), isLastTry);
        try (ParquetPartWriter writer = new ParquetPartWriter(scratch)) {
            TracePipeline.Sink rows = batch -> writer.write(batch, scratch.resolve(part));
            TracePipeline pipeline = new TracePipeline(task, partition.temporary, rows, _ -> {}, gate);
            RunTotals tally =
                    pipeline.run(feeder -> partition.bring(sources, feeder), 1, new TraceNameSet(), RunTotals.NOTHING);
            return new Result(tally, pipeline.isStuck());
        }
    }

    /** {@return whether a file has an archive's extension} */
    public static boolean isArchive(String name) {
        return TraceArchive.isNamedLikeOne(name);
    }

    private void bring(Iterator<? extends Source> sources, TraceFeeder feeder)
            throws IOException, InterruptedException {
        while (sources.hasNext()) {
            bring(sources.next(), feeder);
        }
    }

    private void bring(Source source, TraceFeeder feeder) throws IOException, InterruptedException {
        feeder.leaveOut(source.done());
        Path here = source.here();
        if (source.isFolder()) {
            fail(source, feeder, TraceFeeder.CLOSED_FOLDER);
        } else if (here == null) {
            fetch(source, feeder);
        } else if (isLastTry || Files.isReadable(here)) {
            feeder.feed(file(source, here), () -> {});
        } else {
            throw new IOException(here + ": cannot be read on this machine");
        }
    }

    private void fetch(Source source, TraceFeeder feeder) throws IOException, InterruptedException {
        boolean isArchive = isArchive(source.name());
        TraceLimits limits = task.limits();
        if (source.bytes() > limits.bytes() && !isArchive) {
            fail(source, feeder, limits.tooLarge());
            return;
        }
        Path copy;
        try {
            time.begin();
            copy = isArchive
                    ? TraceExtraction.toFile(source::open, temporary, Long.MAX_VALUE - 1)
                    : TraceExtraction.toFile(() -> time.on(source.open()), temporary, limits.bytes());
        } catch (TraceExtraction.UnwritableException e) {
            throw e.getCause();
        } catch (ReadTimeLimit.OverException e) {
            fail(source, feeder, String.valueOf(e.getMessage()));
            return;
        } catch (IOException | RuntimeException e) { // from the file system: a retry may succeed
            String reason = e.getMessage() == null ? e.toString() : e.getMessage();
            if (!isLastTry) {
                throw new IOException(source.name() + ": " + reason, e);
            }
            fail(source, feeder, reason);
            return;
        }
        feeder.feed(file(source, copy), () -> TraceExtraction.delete(copy));
    }

    /** Adds a failure, unless an earlier run has reported it. */
    private static void fail(Source source, TraceFeeder feeder, String reason) throws InterruptedException {
        if (!source.done().contains(source.name())) {
            feeder.fail(source.name(), source.bytes(), reason);
        }
    }

    private static TraceFile file(Source source, Path path) {
        return new TraceFile(source.name(), path, source.bytes(), source.isFound());
    }
}
