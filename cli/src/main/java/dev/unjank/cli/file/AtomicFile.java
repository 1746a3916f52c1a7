package dev.unjank.cli.file;

import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.session.FileOwnership;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A file that gets all of its content or none: that is written into a new file beside it, which takes its place in the end. Until then
 * what was there stays, also if the process is interrupted. What a killed process leaves beside it, the next one deletes. What is no ordinary file, such as a pipe or {@code /dev/null}, a link, or in a
 * folder to which nothing can be added, is written as it is.
 *
 * <p>The new file has a random name, is created only if nothing has that name, and is written through the stream that created it. As root,
 * a link and a file of another user are refused in a folder that others can write: another user may have put them there.
 */
public final class AtomicFile implements AutoCloseable {
    private static final String PREFIX = ".unjank-";
    private static final String SUFFIX = ".part";

    private final Path file;
    private final Path written;

    /** Of the new file; null if the file is written as it is. */
    private final @Nullable OutputStream created;

    /** In a folder of its own, for a program that opens the file by its name; null if there is none. */
    private @Nullable Path exported;

    private boolean done;

    private AtomicFile(Path file, Path written, @Nullable OutputStream created) {
        this.file = file;
        this.written = written;
        this.created = created;
    }

    /** What writes to a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * A file that is to get new content.
     *
     * @throws UserError if none can be written there, as far as can be seen before; so that nobody works for nothing
     */
    public static AtomicFile at(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw cannotWrite(file, "it is a directory; name a file");
        } else if (folder != null && !Files.isDirectory(folder)) {
            throw cannotWrite(file, "there is no directory " + folder);
        }
        boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        boolean isOrdinary = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file);
        try {
            if (folder != null && isThere) {
                refusePlanted(file, folder);
            }
            if (folder == null || !Files.isWritable(folder) || (isThere && !isOrdinary)) {
                return new AtomicFile(file, file, null);
            }
            ProcessTempFiles.deleteLeftovers(folder, PREFIX, SUFFIX);
            Path beside = folder.resolve(ProcessTempFiles.uniqueName(PREFIX, SUFFIX));
            OutputStream created =
                    Files.newOutputStream(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            beside.toFile().deleteOnExit();
            return new AtomicFile(file, beside, created);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Refuses as root what another user may have planted. */
    private static void refusePlanted(Path file, Path folder) throws IOException {
        if (!FileOwnership.isRoot()) {
            return;
        }
        PosixFileAttributes around = Files.readAttributes(folder, PosixFileAttributes.class);
        PosixFileAttributes there;
        try {
            there = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        if (there.isSymbolicLink() && FileOwnership.canOthersWrite(around)) {
            throw cannotWrite(file, "it is a symbolic link in a folder that others can write; name the file itself");
        } else if (FileOwnership.isForeign(there, around)) {
            throw cannotWrite(
                    file, "it belongs to another user in a folder that others can write; choose another name");
        }
    }

    /**
     * Writes a file, all of it or nothing.
     *
     * @throws UserError if it cannot be written
     */
    public static void write(Path file, Content content) {
        try (AtomicFile whole = at(file)) {
            whole.write(content);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Writes all of it. */
    public void write(Content content) {
        try {
            try (OutputStream out = new BufferedOutputStream(stream(), 1 << 16)) {
                content.writeTo(out);
            }
            done();
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    /** What the user is told where this failed. */
    public UserError cannotWrite(IOException e) {
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

    /** Takes the content; to be closed. A link is followed if it was there before. */
    public OutputStream stream() throws IOException {
        if (created != null) {
            return created;
        }
        return Files.isSymbolicLink(file)
                ? Files.newOutputStream(file)
                : Files.newOutputStream(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Where a program writes that opens files by name. Where others can swap the new file for a link, that is a file in a private
     * temporary folder.
     */
    public Path path() throws IOException {
        Path around = written.getParent();
        if (created == null || around == null || !FileOwnership.canOthersSwap(around)) {
            return written;
        }
        if (exported == null) {
            exported = ProcessTempFiles.folder("export").resolve("export");
        }
        return exported;
    }

    /** All is written. */
    public void done() throws IOException {
        if (created != null) {
            try (created) {
                if (exported != null) {
                    Files.copy(exported, created);
                }
            }
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        done = true;
    }

    /** Lets go of what was written if that was not all. */
    @Override
    public void close() throws IOException {
        if (exported != null) {
            Files.deleteIfExists(exported);
            Files.deleteIfExists(exported.resolveSibling(""));
        }
        if (!done && created != null) {
            created.close();
            Files.deleteIfExists(written);
        }
    }
}
