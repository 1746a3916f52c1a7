package dev.unjank.fleet.spark;

import dev.unjank.fleet.FolderLock;
import dev.unjank.trace.UnusableTraceException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * {@link FolderLock} for a file system without locks: a file that says whose the folder is, which only one can create. What a driver leaves
 * that was killed on this machine is taken over. Of another machine's process nobody knows, so its file has to be deleted by hand; the
 * message says so.
 */
final class RemoteLock implements Closeable {
    private static final Pattern OWNER = Pattern.compile("process ([0-9]{1,10}) of (\\S+), started (\\S+)\n");

    private final FileSystem system;
    private final Path file;

    private RemoteLock(FileSystem system, Path file) {
        this.system = system;
        this.file = file;
    }

    /** Takes it; fails if somebody else has it. */
    static RemoteLock take(FileSystem system, Path folder) throws IOException {
        Path file = new Path(folder, FolderLock.FILE);
        String mine = owner(ProcessHandle.current());
        if (!create(system, file, mine)) {
            String there = read(system, file);
            if (!hasEnded(there) || !system.delete(file, false) || !create(system, file, mine)) {
                throw new UnusableTraceException(folder + ": another run is writing to it (" + there.strip()
                        + "); if that has ended, delete " + file);
            }
        }
        return new RemoteLock(system, file);
    }

    private static boolean create(FileSystem system, Path file, String owner) throws IOException {
        try (OutputStream out = system.create(file, false)) {
            out.write(owner.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        }
    }

    private static String read(FileSystem system, Path file) throws IOException {
        try (var in = system.open(file)) {
            return new String(in.readNBytes(1 << 10), StandardCharsets.UTF_8);
        } catch (FileNotFoundException _) {
            return ""; // it has just ended
        }
    }

    /** What a driver writes of itself. */
    static String owner(ProcessHandle process) {
        return "process " + process.pid() + " of " + host() + ", started " + start(process) + "\n";
    }

    private static Instant start(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH);
    }

    /** Whether it is known that an owner is no more: a process of this machine that is gone, or began later and so is another one. */
    private static boolean hasEnded(String owner) {
        Matcher told = OWNER.matcher(owner);
        return told.matches()
                && told.group(2).equals(host())
                && ProcessHandle.of(Long.parseLong(told.group(1)))
                        .filter(process -> start(process).toString().equals(told.group(3)))
                        .isEmpty();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return String.valueOf(e.getMessage())
                    .replaceAll(":.*", ""); // its own name, unknown only to the name service
        }
    }

    @Override
    public void close() throws IOException {
        boolean _ = system.delete(file, false);
    }
}
