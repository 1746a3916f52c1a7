package dev.unjank.record.session;

import dev.unjank.linux.Errno;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.LibcException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Opens named pipes for output. Opening one in the usual way would wait until a program reads it, possibly forever. */
public final class OutputPipe {
    private static final int TYPE = 0xf000;
    private static final int PIPE = 0x1000;

    private OutputPipe() {}

    /**
     * Opens a pipe, without following a link.
     *
     * @return a stream to its reader, which the caller closes; null if the file is no pipe, or on systems without the
     *     calls for it
     * @throws IOException if no program reads it
     */
    public static @Nullable OutputStream open(Path file) throws IOException {
        if (!Libc.isAvailable()
                || !(Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) instanceof Integer mode)
                || (mode & TYPE) != PIPE) {
            return null;
        }
        int descriptor;
        try {
            descriptor = FileCalls.open(file.toString(), FileCalls.WRITE | FileCalls.NONBLOCK);
        } catch (LibcException e) {
            throw e.error() == Errno.ENXIO
                    ? new FileSystemException(
                            file.toString(), null, "it is a pipe that no program reads; start its reader first")
                    : e;
        }
        try {
            return Files.newOutputStream(FileCalls.named(descriptor), StandardOpenOption.WRITE);
        } finally {
            FileCalls.close(descriptor);
        }
    }
}
