package dev.unjank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that gets all of its content or none: that is written into a new file beside it, which takes its place in the end. Until then
 * what was there stays, also if the process is interrupted. What is no ordinary file, such as a pipe or {@code /dev/null}, a link, or in a
 * folder to which nothing can be added, is written as it is.
 */
final class WholeFile implements AutoCloseable {
    private final Path file;
    private final Path written;
    private boolean done;

    private WholeFile(Path file, Path written) {
        this.file = file;
        this.written = written;
    }

    /** A file that is to get new content. */
    static WholeFile at(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        boolean isOrdinary = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file);
        if (folder == null || !Files.isWritable(folder) || (isThere && !isOrdinary)) {
            return new WholeFile(file, file);
        }
        Path beside = folder.resolve(".unjank-" + ProcessHandle.current().pid() + ".part");
        beside.toFile().deleteOnExit();
        return new WholeFile(file, beside);
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
