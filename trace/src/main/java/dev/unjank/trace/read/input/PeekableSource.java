package dev.unjank.trace.read.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A source of bytes with lookahead: the first bytes can be examined before they are read. */
public final class PeekableSource implements ByteSource {
    private final ByteSource source;
    private byte[] head = {};
    private int taken;

    public PeekableSource(ByteSource source) {
        this.source = source;
    }

    /** The first bytes, fewer if the source is shorter; must be called before the first read. */
    public byte[] head() throws IOException {
        byte[] bytes = new byte[ByteSource.HEAD_BYTES];
        int length = 0;
        while (length < bytes.length) {
            int read = source.read(bytes, length, bytes.length - length);
            if (read < 0) {
                break;
            }
            length += read;
        }
        head = Arrays.copyOf(bytes, length);
        return head.clone();
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int left = head.length - taken;
        if (left == 0) {
            return source.read(into, from, length);
        }
        int count = Math.min(left, length);
        System.arraycopy(head, taken, into, from, count);
        taken += count;
        return count;
    }

    public InputStream stream() {
        return new SourceInputStream(this);
    }
}
