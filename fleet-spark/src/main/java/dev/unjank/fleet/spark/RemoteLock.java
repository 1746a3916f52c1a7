package dev.unjank.fleet.spark;

import dev.unjank.fleet.folder.FolderLock;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FolderLock} for file systems without locks: a file with the id of the run, created exclusively. HDFS does
 * this atomically. An object store may let two runs create the file, so each run reads it back: another id means that
 * another run has the lock. This does not detect a run that writes the file later.
 *
 * <p>Only the machine of a run can check whether the run is alive, with a {@link FolderLock} on a local folder with the
 * run's id. If another run can acquire this local lock, the run was killed, and its file may be replaced. The file of a
 * killed run on another machine must be deleted by hand, as the message explains.
 */
final class RemoteLock implements Closeable {
    private static final Pattern OWNER =
            Pattern.compile("process [0-9]+ of .*, run ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\n");

    private final FileSystem system;
    private final Path file;
    private final UUID run = UUID.randomUUID();
    private final String owner = owner(run);
    private final FolderLock life;

    /** Whether this run has created the file, as far as known. */
    private boolean isCreated;

    private RemoteLock(FileSystem system, Path file) throws IOException {
        this.system = system;
        this.file = file;
        life = FolderLock.take(Files.createDirectory(place(run)));
    }

    /** Acquires the lock. Fails if another run holds it, or if that cannot be determined. */
    static RemoteLock take(FileSystem system, Path folder) throws IOException {
        RemoteLock lock = new RemoteLock(system, new Path(folder, FolderLock.FILE));
        try {
            if (!lock.create()) {
                lock.replace(lock.read());
            }
            String there = lock.read();
            if (!there.equals(lock.owner)) {
                lock.isCreated = false; // another run has created the file at the same time
                throw lock.refusal(there);
            }
            return lock;
        } catch (Throwable e) {
            lock.undo(e);
            throw e;
        }
    }

    /** The content of the file. */
    static String owner(UUID run) {
        return "process " + ProcessHandle.current().pid() + " of " + host() + ", run " + run + "\n";
    }

    /** The folder that a run has locked on its machine. */
    static java.nio.file.Path place(UUID run) {
        return java.nio.file.Path.of(System.getProperty("java.io.tmpdir"), "unjank-run-" + run);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "an unknown host";
        }
    }

    private boolean create() throws IOException {
        try (OutputStream out = system.create(file, false)) {
            isCreated = true;
            out.write(owner.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (FileAlreadyExistsException _) {
            isCreated = false; // an object store may report this only on close
            return false;
        }
    }

    /** Tries to delete the file, so that it does not block other runs. */
    private void undo(Throwable why) {
        try (Closeable _ = this::end) {
            if (isCreated) {
                boolean _ = system.delete(file, false);
            }
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    private String read() throws IOException {
        try (var in = system.open(file)) {
            return new String(in.readNBytes(1 << 10), StandardCharsets.UTF_8);
        } catch (FileNotFoundException _) {
            return ""; // the other run has just ended
        }
    }

    /** Replaces the file of a killed run. */
    private void replace(String there) throws IOException {
        Matcher other = OWNER.matcher(there);
        if (!other.matches()) {
            throw refusal(there);
        }
        java.nio.file.Path left = place(UUID.fromString(other.group(1)));
        try (FolderLock its = ended(left)) {
            // Read again, since the file may have changed before the local lock was acquired.
            if (its == null || !read().equals(there) || !system.delete(file, false) || !create()) {
                throw refusal(there);
            }
            delete(left);
        }
    }

    /**
     * The local lock of an ended run of this machine; null if the run is alive or its state is unknown. A deleted
     * folder is not created again, because every run could acquire a lock on a new file.
     */
    private static @Nullable FolderLock ended(java.nio.file.Path place) {
        try {
            return Files.exists(place.resolve(FolderLock.FILE)) ? FolderLock.take(place) : null;
        } catch (IOException _) {
            return null;
        }
    }

    private UnusableTraceException refusal(String there) {
        return new UnusableTraceException(file.getParent() + ": another run is writing to it (" + there.strip()
                + "); if that run has ended, delete " + file);
    }

    /** Deletes the local lock. Its folder stays if another run creates its own lock file meanwhile. */
    private static void delete(java.nio.file.Path place) {
        boolean _ = place.resolve(FolderLock.FILE).toFile().delete();
        boolean _ = place.toFile().delete();
    }

    private void end() throws IOException {
        delete(place(run));
        life.close();
    }

    /** Releases the lock. A file that another run has created, after this run's file was deleted by hand, is kept. */
    @Override
    public void close() throws IOException {
        try {
            if (read().equals(owner)) {
                boolean _ = system.delete(file, false);
            }
        } finally {
            end();
        }
    }
}
