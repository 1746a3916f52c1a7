package dev.unjank.record.helper;

import dev.unjank.linux.Errno;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.LibcException;
import dev.unjank.record.linux.SocketCalls;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** A folder in the target's {@code /tmp} for files that recorder and target exchange. Thread-safe. */
final class SharedFolder implements AutoCloseable {
    /** Larger than any file that the target writes in a few seconds. */
    static final long MOST_BYTES = 64L << 20;

    private final int parent;
    private final String name;
    private final int descriptor;
    private final int uid;

    /** The permitted names: files of the recorder, and files that the recorder lets the target write. */
    private final Pattern ownNames;

    SharedFolder(int parent, String name, int descriptor, int uid) {
        this.parent = parent;
        this.name = name;
        this.descriptor = descriptor;
        this.uid = uid;
        ownNames =
                Pattern.compile("observer\\.jar|observer|settings\\.jfc|" + Pattern.quote(name) + "-[0-9]{1,9}\\.jfr");
    }

    String name() {
        return name;
    }

    boolean tryLock() throws IOException {
        return FileCalls.tryLock(descriptor);
    }

    private String required(String file) throws IOException {
        if (!ownNames.matcher(file).matches()) {
            throw new IOException("not a permitted name: " + file);
        }
        return file;
    }

    private IOException unexpected(String file) {
        return new IOException("/tmp/" + name + "/" + file + " is not a readable regular file");
    }

    /** Writes a new file. */
    void put(String file, byte[] content) throws IOException {
        try {
            int made = FileCalls.openAt(
                    descriptor, required(file), FileCalls.WRITE | FileCalls.CREATE | FileCalls.EXCLUSIVE);
            try {
                FileCalls.write(made, content);
            } finally {
                FileCalls.close(made);
            }
        } catch (LibcException e) {
            throw new IOException(
                    "cannot create files in the target's /tmp: " + TargetTmpFolder.reason(e)
                            + "; free some space there",
                    e);
        }
    }

    /** Opens a file that the target has written; -1 if it does not exist. */
    private int opened(String file) throws IOException {
        try {
            int opened = FileCalls.openAt(descriptor, required(file), FileCalls.READ | FileCalls.NONBLOCK);
            if (!FileCalls.stat(opened).isRegular()) {
                FileCalls.close(opened);
                throw unexpected(file);
            }
            return opened;
        } catch (LibcException e) {
            if (e.error() == Errno.ENOENT) {
                return -1;
            }
            throw new IOException(unexpected(file).getMessage(), e);
        }
    }

    /** The size of a file in bytes; -1 if it does not exist. */
    long size(String file) throws IOException {
        int opened = opened(file);
        if (opened < 0) {
            return -1;
        }
        try {
            return FileCalls.stat(opened).size();
        } finally {
            FileCalls.close(opened);
        }
    }

    /** Receives data. */
    interface Taker {
        void take(byte[] bytes) throws IOException;
    }

    /** Reads a file, which the target may change concurrently. */
    void read(String file, Taker taker) throws IOException {
        int opened = opened(file);
        if (opened < 0) {
            throw new IOException("the target has not written /tmp/" + name + "/" + file);
        }
        try {
            long size = FileCalls.stat(opened).size();
            if (size > MOST_BYTES) {
                throw new IOException(String.format(
                        Locale.ROOT,
                        "/tmp/%s/%s has %,d MB; the limit is %d MB",
                        name,
                        file,
                        size >> 20,
                        MOST_BYTES >> 20));
            }
            byte[] buffer = new byte[HelperProtocol.MOST_DATA];
            int count;
            for (long rest = size; rest > 0 && (count = FileCalls.read(opened, buffer)) > 0; rest -= count) {
                taker.take(Arrays.copyOf(buffer, (int) Math.min(count, rest)));
            }
        } finally {
            FileCalls.close(opened);
        }
    }

    /** Deletes a file, if it exists. */
    void delete(String file) throws IOException {
        try {
            FileCalls.unlink(descriptor, required(file));
        } catch (LibcException e) {
            if (e.error() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    /** Connects to a socket on which the target listens. */
    int connect(String file, int pid) throws IOException {
        return connect(descriptor, required(file), pid, uid);
    }

    /**
     * Connects to a socket, if the target listens there. Sends nothing.
     *
     * @param pid the process that must listen
     * @throws LibcException if no process listens
     * @throws IOException if another process listens, or the file is not a socket of the target's user
     */
    static int connect(int directory, String file, int pid, int uid) throws IOException {
        int socket = FileCalls.openAt(directory, file, FileCalls.PATH);
        try {
            FileCalls.Stat stat = FileCalls.stat(socket);
            if (!stat.isSocket() || stat.uid() != uid) {
                throw new IOException("/tmp/" + file + " is not a socket of the target's user");
            }
            int connection = SocketCalls.connect(socket);
            SocketCalls.Peer peer = SocketCalls.peer(connection);
            if (peer.pid() != pid || peer.uid() != uid) {
                FileCalls.close(connection);
                throw new IOException("another process listens at /tmp/" + file + ": process " + peer.pid()
                        + " of user " + peer.uid() + " instead of process " + pid + " of user " + uid);
            }
            return connection;
        } finally {
            FileCalls.close(socket);
        }
    }

    /**
     * Deletes the folder and its files with permitted names. If that fails, the exception's message names the folder.
     */
    void remove() throws IOException {
        try {
            deleteOwnFiles();
            FileCalls.removeDirectory(parent, name);
        } catch (LibcException e) {
            if (e.error() != Errno.ENOENT) { // otherwise the target has removed it
                throw new IOException("/tmp/" + name + " could not be deleted: " + TargetTmpFolder.reason(e), e);
            }
        }
    }

    private void deleteOwnFiles() throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd/" + descriptor))) {
            for (Path entry : entries) {
                String file = String.valueOf(entry.getFileName());
                if (ownNames.matcher(file).matches()) {
                    FileCalls.unlink(descriptor, file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() {
        FileCalls.close(descriptor);
    }
}
