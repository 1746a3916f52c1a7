package dev.unjank.fleet.spark;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * {@code elsewhere:/path}: this machine's files, but of a file system that only Hadoop's interface knows, and not
 * without trouble.
 */
class FaultyHadoopFileSystem extends RawLocalFileSystem {
    static final String SETTING = "fs.elsewhere.impl";

    /** A folder by which several processes agree on a file {@code twice}, see {@link #meet}. */
    static final String MEETING = "fs.elsewhere.meeting";

    /** How often opening a file fails yet; of all that are not here, never. */
    static final Map<String, Integer> TROUBLE = new ConcurrentHashMap<>();

    /** Is called with source and target after a copy. */
    static volatile Consumer<java.nio.file.Path> copied = _ -> {};

    private volatile String attempt = "";

    @Override
    public URI getUri() {
        return URI.create("elsewhere:///");
    }

    @Override
    public String getScheme() {
        return "elsewhere";
    }

    @Override
    public FSDataInputStream open(Path file, int buffer) throws IOException {
        Integer left = TROUBLE.computeIfPresent(file.getName(), (_, times) -> times - 1);
        if (left != null && left >= 0) {
            throw new IOException();
        }
        if (file.getName().equals("twice")) {
            attempt = create("first") ? "first" : "second";
        }
        return super.open(file, buffer);
    }

    @Override
    public FileStatus[] listStatus(Path folder) throws IOException {
        if (folder.getName().equals("closed")) {
            throw new AccessControlException("no");
        }
        return super.listStatus(folder);
    }

    @Override
    public void copyFromLocalFile(boolean move, boolean replace, Path from, Path to) throws IOException {
        copied.accept(java.nio.file.Path.of(from.toUri().getPath()));
        super.copyFromLocalFile(move, replace, from, to);
        meet();
    }

    /**
     * The first attempt that has read {@code twice} waits until the second has written its rows as well, and ignores
     * interruption.
     */
    private void meet() throws IOException {
        if (attempt.equals("second")) {
            create("done");
        }
        while (attempt.equals("first") && !Files.exists(meeting("done"))) {
            LockSupport.parkNanos(1_000_000);
        }
        attempt = "";
    }

    private java.nio.file.Path meeting(String name) {
        return java.nio.file.Path.of(getConf().get(MEETING), name);
    }

    private boolean create(String name) throws IOException {
        try {
            Files.createFile(meeting(name));
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        }
    }
}
