package dev.unjank.fleet;

import dev.unjank.trace.UnusableTraceException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a second run off a folder of this machine. It is a lock of the system's on a file in it, so that nothing is left of it when a
 * process is killed.
 */
public final class FolderLock implements Closeable {
    /** The name of the file that stands for it, in whatever file system. */
    public static final String FILE = ".lock";

    private final FileChannel file;

    private FolderLock(FileChannel file) {
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
        FileChannel file = FileChannel.open(folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return new FolderLock(file);
            }
        } catch (OverlappingFileLockException _) {
            // somebody in this process
        } catch (IOException e) {
            file.close();
            throw e;
        }
        file.close();
        throw new UnusableTraceException(folder + ": another run is writing to it");
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
