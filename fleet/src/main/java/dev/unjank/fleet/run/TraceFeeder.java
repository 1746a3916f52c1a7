package dev.unjank.fleet.run;

import dev.unjank.fleet.input.ReadTimeLimit;
import dev.unjank.fleet.input.TraceArchive;
import dev.unjank.fleet.input.TraceExtraction;
import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceResult;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Feeds the files of a fleet to the pool, with back pressure: skips finished traces, extracts archives, and reports
 * pipes, devices and missing files as failures. Runs on its own thread.
 */
final class TraceFeeder {
    /** The failure of a folder that cannot be listed. */
    static final String CLOSED_FOLDER = "is a folder that cannot be listed";

    /** The suffix of a duplicate name, since rows are identified by name. */
    private static final String AGAIN = " (again)";

    private static final char NO_TEXT = '\ufffd';

    private final WorkerPool pool;
    private final TraceNameSet seen;
    private final ByteBudget budget;
    private final TraceLimits limits;
    private final Path temporary;
    private final ReadTimeLimit time;

    /** The URIs and names of files whose names are not valid text. */
    private final TraceNameSet unclear = new TraceNameSet();

    /** Creates a feeder with a folder for extracted traces. */
    TraceFeeder(WorkerPool pool, TraceNameSet seen, ByteBudget budget, TraceLimits limits, Path temporary) {
        this.pool = pool;
        this.seen = seen;
        this.budget = budget;
        this.limits = limits;
        this.temporary = temporary;
        time = new ReadTimeLimit(limits.time());
    }

    /** Skips these names from now on. */
    void leaveOut(Set<String> names) {
        names.forEach(seen::add);
    }

    /** Feeds a file of this machine. */
    void feed(Path file, boolean isFound) throws IOException, InterruptedException {
        TraceFile trace = new TraceFile(file.toString(), file, size(file), isFound);
        if (isNamedLikeAnother(file)) {
            failOnce(
                    trace.name() + AGAIN,
                    trace.bytes(),
                    "its name is not valid UTF-8 and looks like the name of another file; rename it");
        } else {
            feed(trace, () -> {});
        }
    }

    /** The size of a file. {@link java.io.File} would not find files whose names are not valid text. */
    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException _) {
            return 0; // the failure is reported when the file is read
        }
    }

    /** Whether another file has the same name after the replacement of invalid bytes. */
    private boolean isNamedLikeAnother(Path file) {
        String name = file.toString();
        return name.indexOf(NO_TEXT) >= 0 && unclear.add(file.toUri().toString()) && !unclear.add(name);
    }

    /** Feeds a file. {@code release} runs on any thread when the file is no longer needed. */
    void feed(TraceFile file, Runnable release) throws IOException, InterruptedException {
        if (TraceArchive.isNamedLikeOne(file.name()) && Files.isRegularFile(file.path())) {
            try {
                feedArchive(file);
            } finally {
                release.run();
            }
        } else if (!seen.add(file.name())) {
            release.run();
        } else {
            String reason = whyNot(file.path());
            if (reason == null) {
                feedTrace(file, release);
            } else {
                release.run();
                pool.submit(TraceResult.orSkipped(file, TraceResult.failed(file.name(), file.bytes(), reason)));
            }
        }
    }

    private void feedTrace(TraceFile file, Runnable release) throws InterruptedException {
        Runnable room = budget.take(file.bytes());
        pool.submit(file, () -> {
            release.run();
            room.run();
        });
    }

    /** Adds a failure. */
    void fail(String name, long bytes, String reason) throws InterruptedException {
        pool.submit(TraceResult.failed(name, bytes, reason));
    }

    private void failOnce(String name, long bytes, String reason) throws InterruptedException {
        if (seen.add(name)) {
            fail(name, bytes, reason);
        }
    }

    private static @Nullable String whyNot(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile()
                    ? null
                    : attributes.isDirectory() ? CLOSED_FOLDER : "is a pipe, a socket or a device, not a file";
        } catch (NoSuchFileException _) {
            return Files.isSymbolicLink(file) ? "is a broken link" : "no such file";
        } catch (AccessDeniedException _) {
            return "permission denied";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void feedArchive(TraceFile archive) throws IOException, InterruptedException {
        String reason;
        try {
            TraceNameSet within = new TraceNameSet();
            TraceNameSet again = new TraceNameSet();
            TraceArchive.forEach(archive, time, entry -> {
                if (within.add(entry.name())) {
                    feedEntry(archive, entry);
                } else if (again.add(entry.name())) {
                    failAgain(archive, entry, within);
                }
            });
            return;
        } catch (TraceExtraction.UnwritableException e) {
            throw e.getCause();
        } catch (IOException e) {
            reason = TraceArchive.reason(e);
        } catch (RuntimeException | StackOverflowError e) { // other files must not be affected
            reason = "internal error: " + e;
        }
        failOnce(archive.name(), archive.bytes(), reason);
    }

    /** Adds a failure for a duplicate name in an archive, under a unique name. */
    private void failAgain(TraceFile archive, TraceArchive.Entry entry, TraceNameSet within)
            throws InterruptedException {
        String name = entry.name() + AGAIN;
        while (!within.add(name)) {
            name += AGAIN;
        }
        failOnce(
                archive.name() + TraceArchive.WITHIN + name,
                entry.bytes(),
                "the archive has several files of this name; only the first is processed");
    }

    private void feedEntry(TraceFile archive, TraceArchive.Entry entry) throws IOException, InterruptedException {
        String name = archive.name() + TraceArchive.WITHIN + entry.name();
        if (!seen.add(name)) {
            return;
        }
        String reason = whyNot(archive, entry);
        if (reason != null) {
            fail(name, entry.bytes(), reason);
            return;
        }
        Path file;
        try {
            file = TraceExtraction.toFile(entry::content, temporary, limits.bytes());
        } catch (IOException e) {
            if (!entry.isApart()) {
                throw e;
            }
            fail(name, entry.bytes(), TraceArchive.reason(e));
            return;
        }
        feedTrace(new TraceFile(name, file, Files.size(file), true), () -> TraceExtraction.delete(file));
    }

    private @Nullable String whyNot(TraceFile archive, TraceArchive.Entry entry) {
        String reason = entry.whyNot();
        if (reason != null) {
            return reason;
        }
        if (entry.bytes() > limits.bytes()) {
            return limits.tooLarge();
        }
        return TraceArchive.isNamedLikeTar(entry.name())
                ? "nested archives are not supported; unpack " + archive.name()
                : null;
    }
}
