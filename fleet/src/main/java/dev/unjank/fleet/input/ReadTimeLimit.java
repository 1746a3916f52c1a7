package dev.unjank.fleet.input;

import dev.unjank.fleet.task.TraceLimits;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/**
 * How long it may take to unpack or to fetch a trace; begins anew with each. Nobody but who reads can stop that, so it is the
 * streams that look at the clock. For one thread.
 */
public final class ReadTimeLimit {
    private final TraceLimits limits;
    private final LongSupplier nanoTime;
    private long start;

    /** The time is over, and nothing else is known to be wrong. */
    public static final class OverException extends IOException {
        private static final long serialVersionUID = 1;

        public OverException(String message) {
            super(message);
        }
    }

    public ReadTimeLimit(TraceLimits limits) {
        this(limits, System::nanoTime);
    }

    /** With a clock. */
    ReadTimeLimit(TraceLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        begin();
    }

    /** With the next trace. */
    public void begin() {
        start = nanoTime.getAsLong();
    }

    /** The same stream, which fails when the time is over. */
    public InputStream on(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                check();
                return super.read();
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                check();
                return super.read(into, offset, length);
            }

            @Override
            public long skip(long count) throws IOException {
                check();
                return super.skip(count);
            }
        };
    }

    private void check() throws IOException {
        if (nanoTime.getAsLong() - start > limits.time().toNanos()) {
            throw new OverException(limits.tookLonger() + " to read");
        }
    }
}
