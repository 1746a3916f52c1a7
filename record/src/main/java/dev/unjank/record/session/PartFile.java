package dev.unjank.record.session;

import dev.unjank.record.linux.FileLocks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open file in an {@link OutputFolder}, locked against other recorders. It is read and written through its channel
 * only, since its name may lead to another file by now. It is renamed or deleted only while the name still leads to
 * this file.
 */
final class PartFile implements AutoCloseable {
    private final OutputFolder folder;
    private final FileChannel channel;

    /** Device and inode. */
    private final @Nullable Object key;

    private String name;

    private PartFile(OutputFolder folder, String name, FileChannel channel, @Nullable Object key) {
        this.folder = folder;
        this.name = name;
        this.channel = channel;
        this.key = key;
    }

    /** Creates a new file. */
    static PartFile create(OutputFolder folder, String name, Set<PosixFilePermission> permissions) throws IOException {
        FileChannel channel = folder.create(name, permissions);
        return locked(folder, name, channel, key(folder, name));
    }

    /** Opens an existing file. Fails if it is not the file whose attributes were checked. */
    static PartFile open(OutputFolder folder, String name, @Nullable Object key) throws IOException {
        FileChannel channel;
        try {
            channel = folder.open(name);
        } catch (IOException e) {
            // A link, which the name was for that moment only, is an exception of no other kind and without a name.
            boolean isTheSame = e instanceof FileSystemException && Objects.equals(key, key(folder, name));
            throw isTheSame ? e : replaced(name);
        }
        PartFile file = locked(folder, name, channel, key);
        if (!file.isThere()) {
            file.close();
            throw replaced(name);
        }
        return file;
    }

    private static PartFile locked(OutputFolder folder, String name, FileChannel channel, @Nullable Object key)
            throws IOException {
        if (!isAlone(channel)) {
            channel.close();
            throw new FileSystemException(
                    name,
                    null,
                    "another process" + FileLocks.holder(key)
                            + ", such as another recorder, has locked it; choose another file");
        }
        return new PartFile(folder, name, channel, key);
    }

    /** Locks a file until it is closed; also true if the file system has no locks. */
    private static boolean isAlone(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static @Nullable Object key(OutputFolder folder, String name) throws IOException {
        PosixFileAttributes attributes = folder.attributes(name);
        return attributes == null ? null : attributes.fileKey();
    }

    String name() {
        return name;
    }

    FileChannel channel() {
        return channel;
    }

    /** Whether the name still leads to this file. */
    private boolean isThere() throws IOException {
        return key != null && Objects.equals(key, key(folder, name));
    }

    private static FileSystemException replaced(String name) {
        return new FileSystemException(name, null, "another program has replaced or removed it");
    }

    /** Renames it to a name that is not in use, otherwise throws {@link FileAlreadyExistsException}. */
    void moveTo(String free) throws IOException {
        if (folder.attributes(free) != null) {
            throw new FileAlreadyExistsException(free);
        }
        move(free);
    }

    /** Renames the file to the name of another file, which loses its name. */
    void replace(PartFile other) throws IOException {
        if (!other.isThere()) {
            throw replaced(other.name);
        }
        move(other.name);
    }

    private void move(String to) throws IOException {
        if (!isThere()) {
            throw replaced(name);
        }
        folder.move(name, to);
        name = to;
    }

    /** Deletes it, unless the name leads to another file by now. */
    void delete() throws IOException {
        try (this) {
            if (isThere()) {
                folder.delete(name);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
