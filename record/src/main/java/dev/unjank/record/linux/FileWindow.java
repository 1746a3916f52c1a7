package dev.unjank.record.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Buffered random access to a file that another user may change concurrently. The file is read, not mapped: truncating
 * a mapped file would crash the reading process. Not thread-safe.
 */
final class FileWindow {
    private static final int WINDOW = 1 << 16;

    /** The maximum number of bytes to read, many times the need of a library: a bound for hostile files. */
    private static final long MOST_READ = 1L << 32;

    private final FileChannel file;
    private final long size;
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW).limit(0);
    private long begin;
    private long read;

    /** Creates a window over an open file. */
    FileWindow(FileChannel file) throws IOException {
        this.file = file;
        size = file.size();
    }

    long size() {
        return size;
    }

    /**
     * Returns a byte. Throws {@link IndexOutOfBoundsException} if the file ends before it, {@link UncheckedIOException}
     * if it cannot be read.
     */
    byte at(long offset) {
        if (offset < begin || offset - begin >= window.limit()) {
            if (offset < 0 || offset >= size) {
                throw new IndexOutOfBoundsException("at " + offset + " of " + size + " bytes");
            }
            fill(offset);
        }
        return window.get((int) (offset - begin));
    }

    private void fill(long offset) {
        begin = offset;
        window.clear();
        read += WINDOW;
        if (read > MOST_READ) {
            window.limit(0);
            throw new UncheckedIOException(new IOException("the library is too large for a JVM"));
        }
        try {
            while (window.hasRemaining() && file.read(window, offset + window.position()) > 0) {
                // a read may be short
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            window.flip();
        }
    }
}
