package dev.unjank.record.session;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A buffered stream whose file ends with the last successful write: it is truncated after a failure, so a full disk
 * leaves no partial packet. Each write is kept in one piece. Closing the stream flushes it, and leaves the channel
 * open.
 */
final class PartOutputStream extends OutputStream {
    private static final int BUFFER = 1 << 17;

    private final FileChannel channel;
    private final Runnable changed;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

    /** The number of bytes in the file. */
    private long whole;

    /** Whether a write has failed. Then nothing more is written, because it could be the rest of a packet. */
    private boolean failed;

    /** Writes from the channel's position on; {@code changed} runs after each write. */
    PartOutputStream(FileChannel channel, Runnable changed) {
        this.channel = channel;
        this.changed = changed;
    }

    /** The number of bytes written to this stream. */
    long size() {
        return whole + buffer.position();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length > buffer.remaining()) {
            flush();
        }
        if (length > buffer.remaining()) {
            write(ByteBuffer.wrap(bytes, offset, length));
        } else {
            buffer.put(bytes, offset, length);
        }
    }

    @Override
    public void flush() throws IOException {
        write(buffer.flip());
        buffer.clear();
    }

    private void write(ByteBuffer from) throws IOException {
        if (failed) {
            throw new IOException("closed after an earlier write error");
        }
        if (!from.hasRemaining()) {
            return;
        }
        try {
            while (from.hasRemaining()) {
                channel.write(from);
            }
            whole = channel.position();
        } catch (IOException e) {
            cutBack(e);
            throw e;
        }
        changed.run();
    }

    private void cutBack(IOException reason) {
        failed = true;
        try {
            channel.truncate(whole);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
