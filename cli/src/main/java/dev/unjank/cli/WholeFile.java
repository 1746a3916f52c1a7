package dev.unjank.cli;

import dev.unjank.trace.temporary.ProcessFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that gets all of its content or none: that is written into a new file beside it, which takes its place in the end. Until then
 * what was there stays, also if the process is interrupted. What a killed process leaves beside it, the next one deletes. What is no ordinary file, such as a pipe or {@code /dev/null}, a link, or in a
 * folder to which nothing can be added, is written as it is.
 */
final class WholeFile implements AutoCloseable {
    private static final String PREFIX = ".unjank-";
    private static final String SUFFIX = ".part";

    private final Path file;
    private final Path written;
    private boolean done;

    private WholeFile(Path file, Path written) {
        this.file = file;
        this.written = written;
    }

    /** What writes to a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(Path file) throws IOException;
    }

    /**
     * A file that is to get new content.
     *
     * @throws UserError if none can be written there, as far as can be seen before; so that nobody works for nothing
     */
    static WholeFile at(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw cannotWrite(file, "it is a directory; name a file");
        } else if (folder != null && !Files.isDirectory(folder)) {
            throw cannotWrite(file, "there is no directory " + folder);
        }
        boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        boolean isOrdinary = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file);
        if (folder == null || !Files.isWritable(folder) || (isThere && !isOrdinary)) {
            return new WholeFile(file, file);
        }
        ProcessFiles.deleteLeftovers(folder, PREFIX, SUFFIX);
        Path beside = folder.resolve(ProcessFiles.name(PREFIX, SUFFIX));
        beside.toFile().deleteOnExit();
        try {
            Files.newOutputStream(beside).close();
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
        return new WholeFile(file, beside);
    }

    /**
     * Writes a file, all of it or nothing.
     *
     * @throws UserError if it cannot be written
     */
    static void write(Path file, Content content) {
        try (WholeFile whole = at(file)) {
            whole.write(content);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Writes all of it. */
    void write(Content content) {
        try {
            content.writeTo(written);
            done();
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    /** What the user is told where this failed. */
    UserError cannotWrite(IOException e) {
        return cannotWrite(file, e);
    }

    /** The name is the user's, not that of what is written in its place. */
    private static UserError cannotWrite(Path file, IOException e) {
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return cannotWrite(
                file,
                e instanceof AccessDeniedException
                        ? "permission denied"
                        : reason == null ? "nothing can be written there" : reason);
    }

    private static UserError cannotWrite(Path file, String reason) {
        return new UserError("cannot write " + file + ": " + reason);
    }

    /** Where to write. */
    Path path() {
        return written;
    }

    /** All is written. */
    void done() throws IOException {
        if (!written.equals(file)) {
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        done = true;
    }

    /** Lets go of what was written if that was not all. */
    @Override
    public void close() throws IOException {
        if (!done && !written.equals(file)) {
            Files.deleteIfExists(written);
        }
    }
}
