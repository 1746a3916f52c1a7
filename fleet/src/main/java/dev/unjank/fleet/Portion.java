package dev.unjank.fleet;

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
public final class Portion {
    private final TraceTask task;
    private final Path temporary;
    private final TimeLimit time;

    private Portion(TraceTask task, Path temporary) {
        this.task = task;
        this.temporary = temporary;
        time = new TimeLimit(task.limits());
    }

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
         * {@return the names of the traces in it, if it is an archive, that an earlier run has asked}
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
     * @return what was done
     * @throws IOException if rows cannot be written
     */
    public static Tally run(TraceTask task, Iterator<? extends Source> sources, Path scratch, String part)
            throws IOException {
        Portion portion = new Portion(task, Files.createDirectory(scratch.resolve("traces")));
        try (PartWriter writer = new PartWriter(scratch)) {
            Pipeline.Sink rows = batch -> writer.write(batch, scratch.resolve(part));
            return new Pipeline(task, portion.temporary, rows, _ -> {}, Integer.MAX_VALUE)
                    .run(feeder -> portion.bring(sources, feeder), 1, new Seen(), Tally.NOTHING);
        }
    }

    private void bring(Iterator<? extends Source> sources, Feeder feeder) throws IOException, InterruptedException {
        while (sources.hasNext()) {
            bring(sources.next(), feeder);
        }
    }

    private void bring(Source source, Feeder feeder) throws IOException, InterruptedException {
        feeder.leaveOut(source.done());
        Path here = source.here();
        if (here != null) {
            feeder.feed(file(source, here), () -> {});
            return;
        }
        boolean isArchive = Archive.isNamedLikeOne(source.name());
        Limits limits = task.limits();
        if (source.bytes() > limits.bytes() && !isArchive) {
            feeder.fail(source.name(), source.bytes(), limits.tooLarge());
            return;
        }
        Path copy;
        try {
            time.begin();
            copy = isArchive
                    ? Extraction.toFile(source::open, temporary, Long.MAX_VALUE - 1)
                    : Extraction.toFile(() -> time.on(source.open()), temporary, limits.bytes());
        } catch (Extraction.UnwritableException e) {
            throw e.getCause();
        } catch (IOException e) {
            feeder.fail(source.name(), source.bytes(), String.valueOf(e.getMessage()));
            return;
        }
        feeder.feed(file(source, copy), () -> Extraction.delete(copy));
    }

    private static TraceFile file(Source source, Path path) {
        return new TraceFile(source.name(), path, source.bytes(), source.isFound());
    }
}
