package dev.unjank.record.jvm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.unjank.record.thread.Ending;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A directory for what recorder and target hand to each other: it belongs to the target's user, and lies where the target looks
 * for it, be it in a container. Deleted at the end.
 *
 * <p><b>Whose it is.</b> A recorder that is root works here in a place where somebody else may do as he likes, so it never goes by a path that
 * he can bend. What it hands over is in the directory before that is given away; from then on files are opened and deleted
 * in the directory that was opened at the start, and links are not followed. So it is reached also when the target, and with it the mounts that only
 * the target had, are gone.
 */
final class Workspace implements AutoCloseable {
    private static final Path OWN = Path.of("/");
    private static final Path TEMPORARY = Path.of("tmp");

    private final Path inTarget;
    private final Path here;
    private final SecureDirectoryStream<Path> parent;
    private final SecureDirectoryStream<Path> directory;

    private Workspace(
            Path inTarget, Path here, SecureDirectoryStream<Path> parent, SecureDirectoryStream<Path> directory) {
        this.inTarget = inTarget;
        this.here = here;
        this.parent = parent;
        this.directory = directory;
    }

    /**
     * Makes one with a file in it.
     *
     * @param vm the target
     * @param name the file's
     * @param content what it holds, for the target to read
     */
    static Workspace create(TargetVm vm, String name, byte[] content) throws IOException {
        return create(vm.root(), vm.pid(), Files.getOwner(Path.of("/proc/" + vm.pid())), name, content);
    }

    /**
     * The same in any file system.
     *
     * @param root the target's
     * @param pid the target
     * @param owner whom the directory is given to
     */
    static Workspace create(Path root, int pid, UserPrincipal owner, String name, byte[] content) throws IOException {
        Path directory = Path.of("unjank-" + pid + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong()));
        SecureDirectoryStream<Path> parent = temporary(root);
        try {
            Path here = root.resolve(TEMPORARY).resolve(directory);
            Files.createDirectory(
                    here, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return filled(directory, here, parent, owner, name, content);
        } catch (IOException | RuntimeException e) {
            throw Ending.after(e).then(parent::close).failure();
        }
    }

    private static Workspace filled(
            Path name, Path here, SecureDirectoryStream<Path> parent, UserPrincipal owner, String file, byte[] content)
            throws IOException {
        SecureDirectoryStream<Path> directory;
        try {
            directory = parent.newDirectoryStream(name, NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw Ending.after(e).then(() -> parent.deleteDirectory(name)).failure();
        }
        Workspace made = new Workspace(OWN.resolve(TEMPORARY).resolve(name), here, parent, directory);
        try {
            made.put(file, content);
            PosixFileAttributeView view = directory.getFileAttributeView(PosixFileAttributeView.class);
            if (!owner.equals(view.getOwner())) {
                view.setOwner(owner);
            }
            return made;
        } catch (IOException | RuntimeException e) {
            throw Ending.after(e).then(made::close).failure();
        }
    }

    /** The target's directory for temporary files. That of another file system must not be a link, which would lead out of that. */
    private static SecureDirectoryStream<Path> temporary(Path root) throws IOException {
        if (root.equals(OWN)) {
            return opened(OWN.resolve(TEMPORARY));
        }
        try (SecureDirectoryStream<Path> top = opened(root)) {
            if (attributes(top, TEMPORARY).isSymbolicLink()) {
                throw new IOException("the target's /tmp is a link, which might lead anywhere");
            }
            return top.newDirectoryStream(TEMPORARY, NOFOLLOW_LINKS);
        }
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static SecureDirectoryStream<Path> opened(Path directory) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException("this system cannot keep a directory open");
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> in, Path name) throws IOException {
        return in.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes();
    }

    private void put(String name, byte[] content) throws IOException {
        Path file = Path.of(name);
        try (SeekableByteChannel channel = directory.newByteChannel(
                file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, NOFOLLOW_LINKS))) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new IOException("the target's /tmp takes no file: " + e.getMessage() + "; make room there", e);
        }
        directory
                .getFileAttributeView(file, PosixFileAttributeView.class, NOFOLLOW_LINKS)
                .setPermissions(PosixFilePermissions.fromString("rw-r--r--"));
    }

    /** A name that no other has. */
    String name() {
        return String.valueOf(inTarget.getFileName());
    }

    /** A file as the target names it. */
    Path inTarget(String name) {
        return inTarget.resolve(name);
    }

    /** Where the recorder finds a socket that the target listens at. */
    Path socket(String name) throws IOException {
        if (attributes(directory, Path.of(name)).isSymbolicLink()) {
            throw notOfTheTarget(name);
        }
        return here.resolve(name);
    }

    /** Opens a file that the target has written; null if it has not written any. */
    @Nullable
    FileChannel open(String name) throws IOException {
        Path file = Path.of(name);
        try {
            BasicFileAttributes attributes = attributes(directory, file);
            if (!attributes.isRegularFile()) { // a pipe would not even let itself be opened
                throw notOfTheTarget(name);
            }
            if (attributes.size() == 0) {
                return null;
            }
            return (FileChannel) directory.newByteChannel(file, Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private IOException notOfTheTarget(String name) {
        return new IOException(inTarget(name) + " is not what the target was asked for");
    }

    /** Deletes a file, if it is there. */
    void delete(String name) throws IOException {
        delete(Path.of(name));
    }

    private void delete(Path name) throws IOException {
        try {
            directory.deleteFile(name);
        } catch (NoSuchFileException e) {
            // the target's user may have been quicker
        }
    }

    /**
     * Deletes the directory.
     *
     * @throws IOException if it is left behind; the message names it
     */
    @Override
    public void close() throws IOException {
        try (parent;
                directory) {
            for (Path file : directory) {
                delete(file.getFileName());
            }
            parent.deleteDirectory(inTarget.getFileName());
        } catch (NoSuchFileException e) {
            // the target's user may have been quicker
        } catch (IOException | DirectoryIteratorException e) {
            throw new IOException(here + " is left behind: " + e.getMessage(), e);
        }
    }
}
