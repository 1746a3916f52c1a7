package dev.unjank.record.session;

import dev.unjank.linux.Errno;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.LibcException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Opens named pipes for output. Opening one in the usual way would wait until a program reads it, possibly forever.
 *
 * <p>Another user may exchange the file at the path meanwhile. So the file is first held open without access to its
 * content ({@code O_PATH}); its type is checked and it is opened for writing through this descriptor.
 */
public final class OutputPipe {
    private OutputPipe() {}

    /**
     * Opens a pipe, without following a link.
     *
     * @return a stream to its reader, which the caller closes; null if the file is no pipe, or on systems without the
     *     calls for it
     * @throws IOException if no program reads it
     */
    public static @Nullable OutputStream open(Path file) throws IOException {
        if (!Libc.isAvailable()) {
            return null;
        }
        int held = FileCalls.open(file.toString(), FileCalls.PATH);
        try {
            return toReader(held, file);
        } finally {
            FileCalls.close(held);
        }
    }

    /** Opens the file that is held open by a descriptor; the path is for messages. */
    static @Nullable OutputStream toReader(int held, Path file) throws IOException {
        if (!FileCalls.stat(held).isPipe()) {
            return null;
        }
        int descriptor;
        try {
            descriptor = FileCalls.follow(FileCalls.named(held), FileCalls.WRITE | FileCalls.NONBLOCK);
        } catch (LibcException e) {
            throw e.error() == Errno.ENXIO
                    ? new FileSystemException(
                            file.toString(), null, "it is a pipe that no program reads; start its reader first")
                    : e;
        }
        PipeStream stream = new PipeStream(descriptor);
        try {
            FileCalls.letWait(descriptor);
            return stream;
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    /** Writes to the open descriptor: opening it once more would wait if the reader has left. */
    private static final class PipeStream extends OutputStream {
        private final int descriptor;
        private boolean isClosed;

        PipeStream(int descriptor) {
            this.descriptor = descriptor;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (isClosed) {
                throw new ClosedChannelException();
            }
            FileCalls.write(descriptor, Arrays.copyOfRange(bytes, offset, offset + length));
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                FileCalls.close(descriptor);
            }
        }
    }
}
