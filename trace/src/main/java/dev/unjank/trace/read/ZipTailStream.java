package dev.unjank.trace.read;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that keeps its last bytes, which show whether a zip archive is complete. */
final class ZipTailStream extends FilterInputStream {
    /** The maximum length of the end record of a zip archive and its comment. */
    private static final int LENGTH = 22 + 0xffff;

    /** The signature of the end record: PK, 5, 6. */
    private static final int SIGNATURE = 0x504b0506;

    private final byte[] ring = new byte[Integer.highestOneBit(LENGTH) << 1];
    private long length;

    ZipTailStream(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        int read = in.read(into, from, most);
        for (int i = 0; i < read; i++) {
            ring[(int) length++ & (ring.length - 1)] = into[from + i];
        }
        return read;
    }

    /** Whether the archive has an end record; reads the stream to its end. */
    boolean isComplete() throws IOException {
        skipToEnd();
        int last = 0;
        for (long at = Math.max(0, length - LENGTH); at < length; at++) {
            last = (last << 8) | (ring[(int) at & (ring.length - 1)] & 0xff);
            if (last == SIGNATURE) {
                return true;
            }
        }
        return false;
    }

    private void skipToEnd() throws IOException {
        byte[] buffer = new byte[1 << 14];
        int read;
        do {
            read = read(buffer, 0, buffer.length);
        } while (read >= 0);
    }
}
