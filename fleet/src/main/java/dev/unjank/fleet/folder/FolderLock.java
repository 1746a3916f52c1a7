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
 * Keeps a second run off a folder of this machine. It is a lock of the system's on a file in it, so that nothing is left of it when a
 * process is killed.
 */
public final class FolderLock implements Closeable {
    /** The name of the file that stands for it, in whatever file system. */
    public static final String FILE = ".lock";

    /**
     * The folders of this process's locks. The system's lock is the process's, and is lost as soon as any channel of the file is
     * closed: so nobody here may so much as open the file of a folder that is taken.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel file;

    private FolderLock(Path folder, FileChannel file) {
        this.folder = folder;
        this.file = file;
    }

    /**
     * Takes it.
     *
     * @param folder a folder
     * @return the lock, to be closed
     * @throws UnusableTraceException if another run has it, in this process or another one
     * @throws IOException if there is no writing to the folder
     */
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
