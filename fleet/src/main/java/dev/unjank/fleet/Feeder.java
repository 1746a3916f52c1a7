package dev.unjank.fleet;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings the files of a fleet to the pool, no faster than it works: leaves out what has been done, takes traces out of archives, and
 * says of what is no file that it has failed. Has a thread of its own.
 */
final class Feeder {
    /** What to say of a folder whose files nobody can tell. */
    static final String CLOSED_FOLDER = "is a folder that cannot be looked into";

    /** Behind the name of a file that comes again in its archive, since a row is known by its name. */
    private static final String AGAIN = " (again)";

    private final Pool pool;
    private final Seen seen;
    private final ByteBudget budget;
    private final Limits limits;
    private final Path temporary;
    private final TimeLimit time;

    /** With the folder for what comes out of archives. */
    Feeder(Pool pool, Seen seen, ByteBudget budget, Limits limits, Path temporary) {
        this.pool = pool;
        this.seen = seen;
        this.budget = budget;
        this.limits = limits;
        this.temporary = temporary;
        time = new TimeLimit(limits);
    }

    /** From now on these names count as done. */
    void leaveOut(Set<String> names) {
        names.forEach(seen::add);
    }

    /** Brings a file of this machine. */
    void feed(Path file, boolean isFound) throws IOException, InterruptedException {
        feed(new TraceFile(file.toString(), file, file.toFile().length(), isFound), () -> {});
    }

    /**
     * Brings a file.
     *
     * @param release run when nobody needs it any more, on any thread
     */
    void feed(TraceFile file, Runnable release) throws IOException, InterruptedException {
        if (Archive.isNamedLikeOne(file.name()) && Files.isRegularFile(file.path())) {
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
                fail(file.name(), file.bytes(), reason);
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

    /** Says of a file that it gives no rows. */
    void fail(String name, long bytes, String reason) throws InterruptedException {
        pool.submit(Outcome.failed(name, bytes, reason));
    }

    private static @Nullable String whyNot(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile() ? null : attributes.isDirectory() ? CLOSED_FOLDER : "is no regular file";
        } catch (NoSuchFileException _) {
            return "there is no such file";
        } catch (AccessDeniedException _) {
            return "no permission to read it";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void feedArchive(TraceFile archive) throws IOException, InterruptedException {
        String reason;
        try {
            Seen within = new Seen();
            Archive.forEach(archive, time, entry -> feedEntry(archive, entry, within.add(entry.name())));
            return;
        } catch (Extraction.UnwritableException e) {
            throw e.getCause();
        } catch (IOException e) {
            reason = Archive.reason(e);
        } catch (RuntimeException | StackOverflowError e) { // whatever it is, the others must not suffer
            reason = "failed inside: " + e;
        }
        if (seen.add(archive.name())) {
            fail(archive.name(), archive.bytes(), reason);
        }
    }

    private void feedEntry(TraceFile archive, Archive.Entry entry, boolean isFirst)
            throws IOException, InterruptedException {
        String name = archive.name() + "!/" + entry.name() + (isFirst ? "" : AGAIN);
        if (!seen.add(name)) {
            return;
        }
        String reason = isFirst
                ? whyNot(archive, entry)
                : "the archive has several files of this name, of which only the first is asked";
        if (reason != null) {
            fail(name, entry.bytes(), reason);
            return;
        }
        Path file;
        try {
            file = Extraction.toFile(entry::content, temporary, limits.bytes());
        } catch (IOException e) {
            if (!entry.isApart()) {
                throw e;
            }
            fail(name, entry.bytes(), Archive.reason(e));
            return;
        }
        feedTrace(new TraceFile(name, file, Files.size(file), true), () -> Extraction.delete(file));
    }

    private @Nullable String whyNot(TraceFile archive, Archive.Entry entry) {
        String reason = entry.whyNot();
        if (reason != null) {
            return reason;
        }
        if (entry.bytes() > limits.bytes()) {
            return limits.tooLarge();
        }
        return Archive.isNamedLikeTar(entry.name())
                ? "is an archive within another, which is not looked into: unpack " + archive.name()
                : null;
    }
}
