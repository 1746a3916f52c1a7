package dev.unjank.cli.file;

import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.session.FileOwnership;
import dev.unjank.record.session.OpenFolder;
import dev.unjank.record.session.OutputPipe;
import dev.unjank.record.session.TemporaryFiles;
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
 * An output file that is replaced atomically: the content is written to a temporary file in the same folder, which is
 * then renamed. Until then the old file is kept, even if the process is interrupted. Temporary files of killed
 * processes are deleted by the next one. Pipes that a program reads, devices, links, and files in folders
 * without write permission are written directly.
 *
 * <p>The temporary file has a random name, is created exclusively, and is written through the stream that created it.
 * As root, links and files of other users are refused in folders that others can write, since another user may have
 * planted them; so are links of other users on the path, and the folder stays the same although its path may change
 * ({@link OpenFolder}).
 */
public final class AtomicFile implements AutoCloseable {
    private static final String PREFIX = ".unjank-";
    private static final String SUFFIX = ".part";

    /** The file as the user named it, for messages. */
    private final Path file;

    private final OpenFolder folder;

    /** The file in the open folder. */
    private final Path target;

    private final Path written;

    /**
     * Whether it was a link when it was checked. One that another user puts in its place afterwards is not followed.
     */
    private final boolean isLink;

    /** The stream to the temporary file; null if the file is written directly. */
    private final @Nullable OutputStream created;

    /** The stream to the reader of a pipe; null for other files. */
    private final @Nullable OutputStream pipe;

    /** The file in a private folder, for a program that opens it by name; null if not needed. */
    private @Nullable Path exported;

    private boolean done;

    private AtomicFile(
            Path file,
            OpenFolder folder,
            Path written,
            boolean isLink,
            @Nullable OutputStream created,
            @Nullable OutputStream pipe) {
        this.file = file;
        this.folder = folder;
        this.target = in(folder, file);
        this.isLink = isLink;
        this.written = written;
        this.created = created;
        this.pipe = pipe;
    }

    /** A writer of the content. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Prepares to write a file. Fails early, before the content is computed, if it is already clear that the file
     * cannot be written.
     */
    public static AtomicFile at(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw cannotWrite(file, "is a directory (expected a file)");
        } else if (folder != null && !Files.isDirectory(folder)) {
            throw cannotWrite(file, "no such directory: " + folder + "; create it first");
        }
        OpenFolder open;
        try {
            open = OpenFolder.of(folder == null ? file.toAbsolutePath() : folder);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
        try {
            return in(open, file, folder);
        } catch (IOException e) {
            open.close();
            throw cannotWrite(file, e);
        } catch (RuntimeException e) {
            open.close();
            throw e;
        }
    }

    private static Path in(OpenFolder folder, Path file) {
        Path name = file.getFileName();
        return name == null ? file : folder.path().resolve(name);
    }

    private static AtomicFile in(OpenFolder open, Path file, @Nullable Path folder) throws IOException {
        Path target = in(open, file);
        boolean isThere = Files.exists(target, LinkOption.NOFOLLOW_LINKS);
        boolean isOrdinary = Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(target);
        boolean isLink = folder != null && isThere && isTrustedLink(file, target, open.path());
        if (folder == null || !Files.isWritable(open.path()) || (isThere && !isOrdinary)) {
            OutputStream pipe = isThere && !isLink ? OutputPipe.open(target) : null;
            return new AtomicFile(file, open, target, isLink, null, pipe);
        }
        ProcessTempFiles.deleteLeftoverFiles(open.path(), PREFIX, SUFFIX);
        Path beside = open.path().resolve(ProcessTempFiles.uniqueName(PREFIX, SUFFIX));
        beside.toFile().deleteOnExit(); // first: it fails when the JVM no longer deletes files
        OutputStream created = Files.newOutputStream(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new AtomicFile(file, open, beside, false, created, null);
    }

    /** Whether it is a link. As root, refuses files that another user may have planted, links among them. */
    private static boolean isTrustedLink(Path file, Path target, Path folder) throws IOException {
        if (!FileOwnership.isRoot()) {
            return Files.isSymbolicLink(target);
        }
        PosixFileAttributes around = Files.readAttributes(folder, PosixFileAttributes.class);
        PosixFileAttributes there;
        try {
            there = Files.readAttributes(target, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return false;
        }
        if (there.isSymbolicLink() && FileOwnership.canOthersWrite(around)) {
            throw cannotWrite(file, "it is a symbolic link in a folder that others can write; use the link's target");
        } else if (FileOwnership.isForeign(there, around)) {
            throw cannotWrite(
                    file, "it belongs to another user in a folder that others can write; choose another name");
        }
        return there.isSymbolicLink();
    }

    /** Writes a file completely or not at all. */
    public static void write(Path file, Content content) {
        try (AtomicFile whole = at(file)) {
            whole.write(content);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Writes the content and replaces the file. */
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

    public UserError cannotWrite(IOException e) {
        return cannotWrite(file, e);
    }

    /** An error that names the user's file, not the temporary one. */
    private static UserError cannotWrite(Path file, IOException e) {
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return cannotWrite(
                file,
                e instanceof AccessDeniedException ? "permission denied" : reason == null ? "writing failed" : reason);
    }

    private static UserError cannotWrite(Path file, String reason) {
        return new UserError("cannot write " + file + ": " + reason);
    }

    /** The stream for the content, which the caller closes. A link that existed before is followed. */
    public OutputStream stream() throws IOException {
        if (created != null) {
            return created;
        }
        if (pipe != null) {
            return pipe;
        }
        return isLink
                ? Files.newOutputStream(target)
                : Files.newOutputStream(
                        target,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * The path for a program that opens the file by name. For a pipe, or if others could replace the file by a link, it
     * is in a private folder.
     */
    public Path path() throws IOException {
        Path around = written.getParent();
        if (pipe == null && (around == null || !FileOwnership.canOthersSwap(around))) {
            return written;
        }
        if (exported == null) {
            exported = TemporaryFiles.folderUntilExit("export").resolve("export");
        }
        return exported;
    }

    /** Replaces the file by the complete content. */
    public void done() throws IOException {
        if (exported != null) {
            try (OutputStream out = stream()) {
                Files.copy(exported, out);
            }
        }
        if (created != null) {
            created.close();
            Files.move(written, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        done = true;
    }

    /** Deletes the temporary file, unless {@link #done} was called. */
    @Override
    public void close() throws IOException {
        try (folder) {
            if (exported != null) {
                Files.deleteIfExists(exported);
                Files.deleteIfExists(exported.resolveSibling(""));
            }
            if (!done && created != null) {
                created.close();
                Files.deleteIfExists(written);
            }
            if (pipe != null) {
                pipe.close();
            }
        }
    }
}
