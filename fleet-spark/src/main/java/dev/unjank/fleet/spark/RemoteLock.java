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
 * {@link FolderLock} for a file system without locks: a file with the id of the run, created exclusively, which HDFS does atomically.
 * An object store may let two runs create it. A run that then does not read its own id has lost, but a run that reads before the other
 * writes does not notice.
 *
 * <p>Whether a run is alive is known only on its own machine, by a {@link FolderLock} in a folder with the run's id. A run that gets
 * that lock, since its owner was killed, may replace the file. The file of another machine's run must be deleted by hand; the message
 * says so.
 */
final class RemoteLock implements Closeable {
    private static final Pattern OWNER =
            Pattern.compile("process [0-9]+ of .*, run ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\n");

    private final FileSystem system;
    private final Path file;
    private final UUID run = UUID.randomUUID();
    private final String owner = owner(run);
    private final FolderLock life;

    /** Whether this run has created the file, as far as is known. */
    private boolean isCreated;

    private RemoteLock(FileSystem system, Path file) throws IOException {
        this.system = system;
        this.file = file;
        life = FolderLock.take(Files.createDirectory(place(run)));
    }

    /** Acquires the lock; fails if another run has it, or may have it. */
    static RemoteLock take(FileSystem system, Path folder) throws IOException {
        RemoteLock lock = new RemoteLock(system, new Path(folder, FolderLock.FILE));
        try {
            if (!lock.create()) {
                lock.replace(lock.read());
            }
            String there = lock.read();
            if (!there.equals(lock.owner)) {
                lock.isCreated = false; // another one has created it, too
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

    /** Deletes the file, as far as possible, so that it does not block other runs. */
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
            return ""; // it has just ended
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
            // What was read before its lock was had may have been replaced meanwhile.
            if (its == null || !read().equals(there) || !system.delete(file, false) || !create()) {
                throw refusal(there);
            }
            delete(left);
        }
    }

    /**
     * The lock of an ended run of this machine; null if it is alive, or unknown, for example since its folder was deleted: in a new file
     * every run would get the lock.
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

    /** Deletes the folder, as far as possible: a run that checks it just now may create its file again. */
    private static void delete(java.nio.file.Path place) {
        boolean _ = place.resolve(FolderLock.FILE).toFile().delete();
        boolean _ = place.toFile().delete();
    }

    private void end() throws IOException {
        delete(place(run));
        life.close();
    }

    /** Releases the lock. The file of another run, created after this one was deleted by hand, stays. */
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
