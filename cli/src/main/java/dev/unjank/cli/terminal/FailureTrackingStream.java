package dev.unjank.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** A stream that keeps the last write exception, which {@link PrintWriter} drops. */
public final class FailureTrackingStream extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    public FailureTrackingStream(OutputStream out) {
        super(out);
    }

    /** The last exception; null if there was none. */
    @Nullable
    public IOException failure() {
        return failure;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
