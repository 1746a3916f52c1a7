package dev.unjank.fleet;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Brings the files of a fleet to the pool, no faster than it works: leaves out what has been done, takes traces out of archives, and
 * says of what is no file that it has failed. Has a thread of its own.
 */
final class Feeder {
    private final Pool pool;
    private final Seen seen;
    private final ByteBudget budget;
    private final Limits limits;
    private final Path temporary;

    /** With the folder for what comes out of archives. */
    Feeder(Pool pool, Seen seen, ByteBudget budget, Limits limits, Path temporary) {
        this.pool = pool;
        this.seen = seen;
        this.budget = budget;
        this.limits = limits;
        this.temporary = temporary;
    }

    void feed(Inputs inputs) throws IOException, InterruptedException {
        inputs.forEach(this::feed);
    }

    private void feed(Path file, boolean isFound) throws IOException, InterruptedException {
        if (Archive.isNamedLikeOne(file) && Files.isRegularFile(file)) {
            feedArchive(file);
        } else if (seen.add(file.toString())) {
            feedFile(file, isFound);
        }
    }

    private void feedFile(Path file, boolean isFound) throws InterruptedException {
        long bytes = file.toFile().length();
        String reason = whyNot(file);
        if (reason == null) {
            pool.submit(new TraceFile(file.toString(), file, bytes, isFound), budget.take(bytes));
        } else {
            pool.submit(Outcome.failed(file.toString(), bytes, reason));
        }
    }

    /** Why something on this machine is no file to be read; null if it is one. */
    static @Nullable String whyNot(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile()
                    ? null
                    : attributes.isDirectory() ? "is a folder that cannot be looked into" : "is no regular file";
        } catch (NoSuchFileException _) {
            return "there is no such file";
        } catch (AccessDeniedException _) {
            return "no permission to read it";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void feedArchive(Path archive) throws IOException, InterruptedException {
        try {
            Archive.forEach(archive, entry -> feedEntry(archive, entry));
        } catch (Extraction.UnwritableException e) {
            throw e.getCause();
        } catch (IOException e) {
            if (seen.add(archive.toString())) {
                pool.submit(Outcome.failed(archive.toString(), archive.toFile().length(), Archive.reason(e)));
            }
        }
    }

    private void feedEntry(Path archive, Archive.Entry entry) throws IOException, InterruptedException {
        String name = archive + "!/" + entry.name();
        if (!seen.add(name)) {
            return;
        }
        if (entry.bytes() > limits.bytes()) {
            pool.submit(Outcome.failed(name, entry.bytes(), limits.tooLarge()));
        } else {
            Path file = Extraction.toFile(entry, temporary, limits.bytes());
            long bytes = Files.size(file);
            Runnable room = budget.take(bytes);
            pool.submit(new TraceFile(name, file, bytes, true), () -> {
                Extraction.delete(file);
                room.run();
            });
        }
    }
}
