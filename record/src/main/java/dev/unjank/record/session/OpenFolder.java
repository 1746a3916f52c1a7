package dev.unjank.record.session;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A folder for output, with a path that leads to it until {@link #close}. As root the path goes through an open
 * descriptor, so that no other user can exchange the folder meanwhile, and no link of another user on the way to it is
 * followed ({@link FolderWalk}). Otherwise it is the folder's own path. Not thread-safe.
 */
public final class OpenFolder implements AutoCloseable {
    private static final int NO_DESCRIPTOR = -1;

    private final Path path;
    private int descriptor;

    private OpenFolder(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    /** Opens a folder. Fails if it does not exist, or if another user may have made a link on its path. */
    public static OpenFolder of(Path folder) throws IOException {
        if (!FileOwnership.isRoot() || !Libc.isAvailable()) {
            return new OpenFolder(folder, NO_DESCRIPTOR);
        }
        int descriptor = FolderWalk.open(folder.toAbsolutePath());
        return new OpenFolder(FileCalls.named(descriptor), descriptor);
    }

    /** The path of the folder for this process. */
    public Path path() {
        return path;
    }

    /** Closes the descriptor; the path must not be used afterwards. Idempotent. */
    @Override
    public void close() {
        if (descriptor != NO_DESCRIPTOR) {
            FileCalls.close(descriptor);
            descriptor = NO_DESCRIPTOR;
        }
    }
}
