package dev.unjank.fleet.folder;

import dev.unjank.trace.model.UnusableTraceException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A lock that prevents a second run on a folder of this machine: a file lock of the operating system, which is released
 * if the process is killed.
 */
public final class FolderLock implements Closeable {
    /** The name of the lock file. */
    public static final String FILE = ".lock";

    /**
     * The folders locked by this process. A file lock belongs to the process and is released when any channel of the
     * file is closed, so the file of a locked folder must not be opened again.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel file;

    private FolderLock(Path folder, FileChannel file) {
        this.folder = folder;
        this.file = file;
    }

    /** Acquires the lock, which the caller closes. Fails if another run in this or another process holds it. */
    public static FolderLock take(Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!HELD.add(real)) {
            throw taken(folder);
        }
        FileChannel file = null;
        boolean isOurs = false;
        try {
            file = FileChannel.open(real.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            isOurs = file.tryLock() != null;
        } finally {
            if (!isOurs) {
                release(real, file);
            }
        }
        if (!isOurs) {
            throw taken(folder);
        }
        return new FolderLock(real, file);
    }

    private static UnusableTraceException taken(Path folder) {
        return new UnusableTraceException(folder + ": another run is writing to it");
    }

    private static void release(Path folder, @Nullable FileChannel file) throws IOException {
        try {
            if (file != null) {
                file.close();
            }
        } finally {
            HELD.remove(folder);
        }
    }

    @Override
    public void close() throws IOException {
        release(folder, file);
    }
}
