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
 * {@link FolderLock} for a file system without locks: a file with a number that no other run has, which only one can create where the
 * file system does that as a whole, as HDFS does. Object stores may let two create it; who then does not find its own number in it has
 * lost, but one that looked before the other wrote has not seen that.
 *
 * <p>Whether a run is alive is known on its own machine only, by a {@link FolderLock} that it holds there, in a folder named by its
 * number. Who holds that of a run that was killed, and so is the only one to do so, may replace its file. Of another machine's run nobody
 * knows, so its file has to be deleted by hand; the message says so.
 */
final class RemoteLock implements Closeable {
    private static final Pattern OWNER =
            Pattern.compile("process [0-9]+ of .*, run ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\n");

    private final FileSystem system;
    private final Path file;
    private final UUID run = UUID.randomUUID();
    private final String owner = owner(run);
    private final FolderLock life;

    /** Whether the file is this run's, as far as is known. */
    private boolean isCreated;

    private RemoteLock(FileSystem system, Path file) throws IOException {
        this.system = system;
        this.file = file;
        life = FolderLock.take(Files.createDirectory(place(run)));
    }

    /** Takes it; fails if somebody else has it, or may have. */
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

    /** What a run writes of itself. */
    static String owner(UUID run) {
        return "process " + ProcessHandle.current().pid() + " of " + host() + ", run " + run + "\n";
    }

    /** The folder that a run holds on its machine. */
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
            isCreated = false; // as an object store may tell at the end only
            return false;
        }
    }

    /** Leaves nothing behind that would keep others off, as far as that can be done. */
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

    /** Puts its own file in the place of one whose run was killed. */
    private void replace(String there) throws IOException {
        Matcher told = OWNER.matcher(there);
        if (!told.matches()) {
            throw refusal(there);
        }
        java.nio.file.Path left = place(UUID.fromString(told.group(1)));
        try (FolderLock its = ended(left)) {
            // What was read before its lock was had may have been replaced meanwhile.
            if (its == null || !read().equals(there) || !system.delete(file, false) || !create()) {
                throw refusal(there);
            }
            delete(left);
        }
    }

    /**
     * The lock of a run of this machine that has ended; null if it has not, or that is not known, as where somebody has cleaned up: of a
     * new file anybody would get the lock.
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
                + "); if that has ended, delete " + file);
    }

    /** As far as possible: who looks just now whether that run has ended may make its file anew. */
    private static void delete(java.nio.file.Path place) {
        boolean _ = place.resolve(FolderLock.FILE).toFile().delete();
        boolean _ = place.toFile().delete();
    }

    private void end() throws IOException {
        delete(place(run));
        life.close();
    }

    /** Lets others take it. What is in its place by now, as somebody deleted it by hand, stays. */
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
