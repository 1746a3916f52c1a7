package dev.unjank.record.session;

import dev.unjank.linux.Errno;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.LibcException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An open folder in which files are created and renamed by their bare names, relative to its descriptor ({@code
 * openat}, {@code renameat}, {@code unlinkat}). No method follows a symbolic link, and none is affected if the path of
 * the folder changes its meaning: the recorder runs as root and may write into a folder of a hostile user.
 */
final class OutputFolder implements AutoCloseable {
    private static final int NO_DESCRIPTOR = -1;

    private final SecureDirectoryStream<Path> folder;

    /** The folder, as root; otherwise {@link #NO_DESCRIPTOR}. */
    private final int descriptor;

    /** Runs after each change of a name, for tests. */
    private final Runnable changed;

    private OutputFolder(SecureDirectoryStream<Path> folder, int descriptor, Runnable changed) {
        this.folder = folder;
        this.descriptor = descriptor;
        this.changed = changed;
    }

    /**
     * Opens a folder; {@code changed} runs after each change of a name. As root, no link of another user on the path is
     * followed ({@link FolderWalk}).
     */
    static OutputFolder open(Path path, Runnable changed) throws IOException {
        if (!FileOwnership.isRoot() || !Libc.isAvailable()) {
            return opened(path, NO_DESCRIPTOR, changed);
        }
        int descriptor = FolderWalk.open(path);
        try {
            return opened(FileCalls.named(descriptor), descriptor, changed);
        } catch (IOException | RuntimeException e) {
            FileCalls.close(descriptor);
            throw e;
        }
    }

    @SuppressWarnings("StreamResourceLeak") // closed by close()
    private static OutputFolder opened(Path path, int descriptor, Runnable changed) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(path);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return new OutputFolder(secure, descriptor, changed);
        }
        stream.close();
        throw new IOException("this system has no openat(), which is needed to write the recording");
    }

    PosixFileAttributes attributes() throws IOException {
        return folder.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
    }

    /** The attributes of a file, or of the link that has the name; null if there is none. */
    @Nullable
    PosixFileAttributes attributes(String name) throws IOException {
        try {
            return folder.getFileAttributeView(Path.of(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Creates a file for reading and writing. Fails if the name exists, even as a link. */
    FileChannel create(String name, Set<PosixFilePermission> permissions) throws IOException {
        Set<OpenOption> create =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel file = (FileChannel)
                folder.newByteChannel(Path.of(name), create, PosixFilePermissions.asFileAttribute(permissions));
        changed.run();
        return file;
    }

    /**
     * Opens a file for reading and writing, since opening a pipe that way does not block. As root, fails if another
     * user's process holds a lease on the file: opening would wait for that process.
     */
    FileChannel open(String name) throws IOException {
        if (descriptor == NO_DESCRIPTOR) {
            Set<OpenOption> open = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            return (FileChannel) folder.newByteChannel(Path.of(name), open);
        }
        int file;
        try {
            file = FileCalls.openAt(descriptor, name, FileCalls.READ_WRITE | FileCalls.NONBLOCK);
        } catch (LibcException e) {
            throw e.error() == Errno.EAGAIN
                    ? new FileSystemException(name, null, "another process holds a lease on it; choose another file")
                    : new FileSystemException(name, null, e.getMessage());
        }
        try {
            // Opened again for the JDK. While it is open for writing, there can be no lease.
            return FileChannel.open(FileCalls.named(file), StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            FileCalls.close(file);
        }
    }

    /** Renames a file, replacing what has the new name. */
    void move(String from, String to) throws IOException {
        folder.move(Path.of(from), folder, Path.of(to));
        changed.run();
    }

    void delete(String name) throws IOException {
        folder.deleteFile(Path.of(name));
        changed.run();
    }

    /**
     * The names that match a pattern, among the first {@code most} entries, in no order: another user may have filled
     * the folder.
     */
    List<String> names(Pattern pattern, int most) throws IOException {
        List<String> names = new ArrayList<>();
        int count = 0;
        try (DirectoryStream<Path> all = folder.newDirectoryStream(Path.of("."))) {
            for (Path each : all) {
                if (++count > most) {
                    break;
                }
                String name = each.getFileName().toString();
                if (pattern.matcher(name).matches()) {
                    names.add(name);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    @Override
    public void close() throws IOException {
        if (descriptor != NO_DESCRIPTOR) {
            FileCalls.close(descriptor);
        }
        folder.close();
    }
}
