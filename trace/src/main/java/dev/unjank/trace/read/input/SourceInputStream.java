package dev.unjank.trace.read.input;

import java.io.IOException;
import java.io.InputStream;

/** Adapts a source of bytes to {@link InputStream}. */
public final class SourceInputStream extends InputStream {
    private final ByteSource source;

    public SourceInputStream(ByteSource source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int read;
        do {
            read = source.read(one, 0, 1);
        } while (read == 0);
        return read < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        return length == 0 ? 0 : source.read(into, from, length);
    }
}
