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
 * Some traces of a fleet, asked one after another: what a worker of a cluster does at a time. Their rows become one part. The rules
 * are those of {@link LocalRun}: archives are looked into, a trace that does not end becomes a failure, and memory does not depend on how
 * many traces there are.
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
     * What became of some traces.
     *
     * @param tally what was done
     * @param isStuck whether some were not asked, since in this process too many did not end that take the processors from them
     */
    public record Result(RunTotals tally, boolean isStuck) {}

    /** A file that may have to be brought here first. */
    public interface Source {
        /**
         * {@return by which name its rows know it}
         */
        String name();

        /**
         * {@return how large it is}
         */
        long bytes();

        /**
         * {@return whether it was found in a folder or by a pattern, and not named}
         */
        boolean isFound();

        /**
         * {@return whether it is a folder that could not be looked into}
         */
        boolean isFolder();

        /**
         * {@return the names that an earlier run has rows of, if it is an archive: those of traces in it, or its own if that failed}
         */
        Set<String> done();

        /**
         * {@return where it is on this machine; null if it is elsewhere}
         */
        @Nullable
        Path here();

        /**
         * Reads it where it is.
         *
         * @return its bytes, to be closed
         * @throws IOException if they cannot be had
         */
        InputStream open() throws IOException;
    }

    /**
     * Asks traces, and writes what they say, if there is anything to be written.
     *
     * @param task what to ask
     * @param sources the traces, on another thread
     * @param scratch a folder, by its real name
     * @param part the name of the part, which becomes a folder in it
     * @param isLastTry whether a file that cannot be had is a failure; if not, nothing counts that was done, and it is to be tried again
     * @return what was done
     * @throws IOException if rows cannot be written, or a file cannot be had
     */
    public static Result run(
            TraceTask task, Iterator<? extends Source> sources, Path scratch, String part, boolean isLastTry)
            throws IOException {
        return run(task, sources, scratch, part, isLastTry, AdmissionGate.OF_THIS_VM);
    }

    /** The same, in the company of others. */
    static Result run(
            TraceTask task,
            Iterator<? extends Source> sources,
            Path scratch,
            String part,
            boolean isLastTry,
            AdmissionGate company)
            throws IOException {
        PartitionRun portion = new PartitionRun(task, Files.createDirectory(scratch.resolve("traces")), isLastTry);
        try (ParquetPartWriter writer = new ParquetPartWriter(scratch)) {
            TracePipeline.Sink rows = batch -> writer.write(batch, scratch.resolve(part));
            TracePipeline pipeline = new TracePipeline(task, portion.temporary, rows, _ -> {}, company);
            RunTotals tally =
                    pipeline.run(feeder -> portion.bring(sources, feeder), 1, new TraceNameSet(), RunTotals.NOTHING);
            return new Result(tally, pipeline.isStuck());
        }
    }

    /**
     * {@return whether a file is an archive of traces by its name}
     *
     * @param name a file's
     */
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
        } catch (IOException | RuntimeException e) { // by the file system: another time it may be had
            String reason = e.getMessage() == null ? e.toString() : e.getMessage();
            if (!isLastTry) {
                throw new IOException(source.name() + ": " + reason, e);
            }
            fail(source, feeder, reason);
            return;
        }
        feeder.feed(file(source, copy), () -> TraceExtraction.delete(copy));
    }

    /** Says so, unless an earlier run has. */
    private static void fail(Source source, TraceFeeder feeder, String reason) throws InterruptedException {
        if (!source.done().contains(source.name())) {
            feeder.fail(source.name(), source.bytes(), reason);
        }
    }

    private static TraceFile file(Source source, Path path) {
        return new TraceFile(source.name(), path, source.bytes(), source.isFound());
    }
}
