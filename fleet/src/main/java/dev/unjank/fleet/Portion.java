package dev.unjank.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some traces of a fleet, asked one after another: what a worker of a cluster does at a time. Their rows become one part. The rules
 * are those of {@link LocalRun}: archives are looked into, and a trace that does not end becomes a failure.
 */
public final class Portion {
    private static final long TICK_MILLIS = 100;

    private final TraceTask task;
    private final Path temporary;
    private final Pool pool;
    private final List<Outcome> outcomes = new ArrayList<>();

    private Portion(TraceTask task, Path temporary, Pool pool) {
        this.task = task;
        this.temporary = temporary;
        this.pool = pool;
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
         * Brings it here.
         *
         * @param folder for a copy, which is deleted afterwards; what lies elsewhere stays
         * @return where it is
         * @throws IOException if it cannot be had
         */
        Path fetch(Path folder) throws IOException;
    }

    /**
     * Asks traces, and writes what they say, if there is anything to be written.
     *
     * @param task what to ask
     * @param sources the traces
     * @param scratch a folder, by its real name
     * @param part the name of the part, which becomes a folder in it
     * @return what was done
     * @throws IOException if rows cannot be written
     */
    public static Tally run(TraceTask task, Iterator<? extends Source> sources, Path scratch, String part)
            throws IOException {
        Path traces = Files.createDirectory(scratch.resolve("traces"));
        try (Pool pool = new Pool(task::asker, task.limits().time(), 1);
                PartWriter writer = new PartWriter(scratch)) {
            Portion portion = new Portion(task, traces, pool);
            while (sources.hasNext()) {
                portion.ask(sources.next());
            }
            if (!portion.outcomes.isEmpty()) {
                writer.write(portion.outcomes, scratch.resolve(part));
            }
            return portion.tally();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void ask(Source source) throws IOException, InterruptedException {
        if (source.bytes() > task.limits().bytes() && !Archive.isNamedLikeOne(source.name())) {
            outcomes.add(
                    Outcome.failed(source.name(), source.bytes(), task.limits().tooLarge()));
            return;
        }
        Path file;
        try {
            file = source.fetch(temporary);
        } catch (IOException e) {
            outcomes.add(Outcome.failed(source.name(), source.bytes(), String.valueOf(e.getMessage())));
            return;
        }
        try {
            String reason = Feeder.whyNot(file);
            if (reason != null) {
                outcomes.add(Outcome.failed(source.name(), source.bytes(), reason));
            } else if (Archive.isNamedLikeOne(source.name())) {
                askAll(source, file);
            } else {
                ask(new TraceFile(source.name(), file, source.bytes(), source.isFound()));
            }
        } finally {
            if (file.startsWith(temporary)) {
                Extraction.delete(file);
            }
        }
    }

    private void askAll(Source source, Path archive) throws IOException, InterruptedException {
        try {
            Archive.forEach(archive, entry -> {
                String name = source.name() + "!/" + entry.name();
                if (source.done().contains(name)) {
                    return;
                }
                if (entry.bytes() > task.limits().bytes()) {
                    outcomes.add(
                            Outcome.failed(name, entry.bytes(), task.limits().tooLarge()));
                    return;
                }
                Path file = Extraction.toFile(entry, temporary, task.limits().bytes());
                try {
                    ask(new TraceFile(name, file, Files.size(file), true));
                } finally {
                    Extraction.delete(file);
                }
            });
        } catch (Extraction.UnwritableException e) {
            throw e.getCause();
        } catch (IOException e) {
            outcomes.add(Outcome.failed(source.name(), source.bytes(), Archive.reason(e)));
        }
    }

    private void ask(TraceFile file) throws InterruptedException {
        pool.submit(file, () -> {});
        @Nullable Outcome outcome = null;
        while (outcome == null) {
            outcome = pool.poll(TICK_MILLIS);
        }
        outcomes.add(outcome);
    }

    private Tally tally() {
        Tally tally = Tally.after(0);
        for (Outcome outcome : outcomes) {
            tally = tally.plus(outcome);
        }
        return tally;
    }
}
