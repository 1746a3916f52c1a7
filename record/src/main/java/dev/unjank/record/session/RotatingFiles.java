package dev.unjank.record.session;

import dev.unjank.record.lifecycle.Cleanup;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a recording. The current part is always the file that was asked for; at its maximum size it is renamed
 * to {@code FILE.part1}, {@code FILE.part2} and so on, the oldest part is deleted, and a new file begun. At the end the
 * parts are joined.
 *
 * <p>The previous content stays until the first part begins; then it is deleted, with parts of it that a killed
 * recorder has left. A second recorder with the same file is refused.
 *
 * <p>All flushed data is in the files even if this process is killed. Then the parts remain: each part is a trace, and
 * all of them together are one trace.
 *
 * <p>If the disk is full, a file is truncated to the last complete write.
 *
 * <p><b>Hostile folders.</b> The recorder runs as root, and another user may own the folder or may write to it. So a
 * file is written only if this class created it: under a random name that did not exist ({@code O_CREAT | O_EXCL}),
 * then renamed. An existing file is opened only for its lock and never written. A part keeps its channel until it is
 * joined or deleted, and all names are looked up in the open folder without following links. If a name leads to another
 * file by now, the recording ends.
 */
final class RotatingFiles implements AutoCloseable {
    private static final Set<PosixFilePermission> READ_AND_WRITE = Set.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    /** The number of entries of the folder that are looked at. */
    private static final int MOST_ENTRIES = 100_000;

    /** The number of names of parts that are tried in a row. */
    private static final int MOST_TAKEN = 1_000;

    /** In bytes: a name has at most 255, of which the suffix of a new file takes 40. */
    private static final int LONGEST_NAME = 255 - 40;

    private final Path file;
    private final String name;
    private final OutputFolder folder;
    private final Runnable changed;

    /** The earlier parts that are kept, the oldest first. */
    private final Deque<PartFile> aside = new ArrayDeque<>();

    private int count;
    private long asideBytes;
    private final AtomicLong joinedBytes = new AtomicLong();

    /** The part that is being written, which is {@link #file}. */
    private @Nullable OpenPart current;

    /** The next part, under a random name, until it takes the place of the current one. */
    private @Nullable OpenPart next;

    /** The file with its previous content until the first part begins. */
    private @Nullable PartFile reserved;

    private boolean isNew;
    private Set<PosixFilePermission> permissions = READ_AND_WRITE;

    private record OpenPart(PartFile file, PartOutputStream stream) {}

    /**
     * Opens the file for one recording, and does not change its content. Fails if another recorder writes to it, or if
     * it is not safe to write.
     */
    RotatingFiles(Path file) throws IOException {
        this(file, () -> {});
    }

    /** Opens the file, for tests; {@code changed} runs after each change of a name or of a file's content. */
    RotatingFiles(Path file, Runnable changed) throws IOException {
        this.file = file;
        this.changed = changed;
        Path path = file.toAbsolutePath();
        Path parent = path.getParent();
        Path last = path.getFileName();
        if (parent == null || last == null) {
            throw refused("is a directory; specify a file in it");
        }
        name = last.toString();
        if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
            throw refused("the name is too long; choose one of at most " + LONGEST_NAME + " bytes");
        }
        try {
            folder = OutputFolder.open(parent, changed);
        } catch (NoSuchFileException e) {
            throw refused("its directory does not exist; create it first");
        } catch (IOException e) {
            throw named(e);
        }
        try {
            reserved = reserve();
        } catch (IOException e) {
            throw Cleanup.after(named(e)).then(folder::close).failure();
        }
    }

    private PartFile reserve() throws IOException {
        PosixFileAttributes there = folder.attributes(name);
        if (there == null) {
            isNew = true;
            return PartFile.create(folder, name, permissions);
        }
        if (there.isSymbolicLink()) {
            throw refused("is a symbolic link; specify the file itself");
        } else if (there.isDirectory()) {
            throw refused("is a directory; specify a file in it");
        } else if (!there.isRegularFile()) {
            throw refused("is a pipe, a socket or a device; specify a regular file");
        } else if (FileOwnership.isForeign(there, folder.attributes())) {
            throw refused("belongs to another user, and others can write to its folder; choose another path");
        }
        if (there.owner().equals(FileOwnership.self())) {
            permissions = EnumSet.copyOf(there.permissions());
        }
        return PartFile.open(folder, name, there.fileKey());
    }

    private FileSystemException refused(String reason) {
        return new FileSystemException(file.toString(), null, reason);
    }

    /** A failure with the path that the user gave, not the bare name. */
    private IOException named(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> new NoSuchFileException(file.toString());
            case AccessDeniedException _ -> new AccessDeniedException(file.toString());
            case NotDirectoryException _ -> refused("its parent is not a directory");
            case FileAlreadyExistsException _ -> refused("another program has just created it");
            case FileSystemException failure ->
                new FileSystemException(
                        failure.getFile() == null || failure.getFile().equals(file.toString())
                                ? file.toString()
                                : file.resolveSibling(failure.getFile()).toString(),
                        null,
                        failure.getReason());
            default -> e;
        };
    }

    /** Creates the next part, and keeps a number of others. {@link #commit} makes it the current part. */
    OutputStream next(int keep) throws IOException {
        try {
            while (aside.size() >= keep) {
                PartFile oldest = aside.remove();
                asideBytes -= oldest.channel().size();
                oldest.delete(); // a full disk has room for a new one then
            }
            PartFile created = PartFile.create(folder, name + ".new" + UUID.randomUUID(), permissions);
            PartOutputStream stream = new PartOutputStream(created.channel(), changed);
            next = new OpenPart(created, stream);
            return stream;
        } catch (IOException e) {
            throw named(e);
        }
    }

    /**
     * Renames the next part to {@link #file}, and the current part to the name of an earlier part. If that fails, the
     * current part is still {@link #file}.
     */
    void commit() throws IOException {
        OpenPart begun = next;
        if (begun == null) {
            return;
        }
        try {
            if (current == null) {
                replaceReserved(begun.file);
            } else {
                putAside(current, begun.file);
            }
        } catch (IOException e) {
            throw named(e);
        }
        current = begun;
        next = null;
    }

    private void replaceReserved(PartFile first) throws IOException {
        PartFile before = reserved;
        if (before != null) {
            deletePartsOfEarlierRecordings(first.name());
            first.replace(before);
            reserved = null;
            before.close();
        }
    }

    private void putAside(OpenPart last, PartFile begun) throws IOException {
        int first = ++count;
        while (folder.attributes(name + ".part" + count) != null) { // not made by this recording
            if (count - first == MOST_TAKEN) {
                throw refused("the names of its parts are taken by other files, from " + name + ".part" + first
                        + " on; delete them");
            }
            count++;
        }
        last.file.moveTo(name + ".part" + count);
        try {
            begun.moveTo(name);
        } catch (IOException e) {
            throw Cleanup.after(e).then(() -> last.file.moveTo(name)).failure();
        }
        aside.add(last.file);
        asideBytes += last.stream.size();
    }

    /** Discards the next part after a failure. */
    void takeBack() throws IOException {
        OpenPart begun = next;
        if (begun != null) {
            next = null;
            begun.file.delete();
        }
    }

    /**
     * Deletes files with the name of a part, but only regular files of this user: other files were not created by a
     * recorder.
     */
    private void deletePartsOfEarlierRecordings(String except) throws IOException {
        Pattern parts = Pattern.compile(
                Pattern.quote(name) + "\\.(part[0-9]+|joined[0-9]*|new[0-9a-f]{8}(-[0-9a-f]{4,12}){4})");
        for (String left : folder.names(parts, MOST_ENTRIES)) {
            PosixFileAttributes attributes = folder.attributes(left);
            if (attributes != null
                    && attributes.isRegularFile()
                    && attributes.owner().equals(FileOwnership.self())
                    && !left.equals(except)) {
                folder.delete(left);
            }
        }
    }

    /** Leaves the previous content, if no part has been begun. */
    void abandon() throws IOException {
        PartFile before = reserved;
        if (before != null) {
            reserved = null;
            if (isNew) {
                before.delete();
            } else {
                before.close();
            }
        }
    }

    /** The file that was asked for. */
    Path file() {
        return file;
    }

    /** All kept files, the oldest first. */
    List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (PartFile part : aside) {
            files.add(file.resolveSibling(part.name()));
        }
        files.add(file);
        return files;
    }

    /** The size of the part that is being written. */
    long partBytes() {
        return current == null ? 0 : current.stream.size();
    }

    /** The total size of the kept files. */
    long bytes() {
        return asideBytes + partBytes();
    }

    /** The number of joined bytes. Thread-safe. */
    long joinedBytes() {
        return joinedBytes.get();
    }

    /** Joins all parts to one file, the oldest first. If that fails, {@link #files} are the current ones. */
    void join() throws IOException {
        OpenPart last = current;
        if (last != null && !aside.isEmpty()) {
            try {
                new PartJoiner(folder, last.file, aside, joinedBytes::addAndGet).run();
            } catch (IOException e) {
                throw new IOException("the parts could not be joined: " + named(e).getMessage(), e);
            }
        }
    }

    /** Closes all files and the folder. Afterwards new parts cannot be created. */
    @Override
    public void close() throws IOException {
        Cleanup cleanup = new Cleanup();
        cleanup.then(this::takeBack).then(this::abandon);
        if (current != null) {
            cleanup.then(current.file::close);
        }
        aside.forEach(part -> cleanup.then(part::close));
        cleanup.then(folder::close).finish();
    }
}
