package dev.unjank.fleet.input;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time limit for extracting or downloading a trace, restarted for each trace. Other threads cannot interrupt a
 * read, so the streams check the clock. Not thread-safe.
 */
public final class ReadTimeLimit {
    private final Duration time;
    private final LongSupplier nanoTime;
    private long start;

    /** The time limit was exceeded. */
    public static final class OverException extends IOException {
        private static final long serialVersionUID = 1;

        public OverException(String message) {
            super(message);
        }
    }

    public ReadTimeLimit(Duration time) {
        this(time, System::nanoTime);
    }

    /** A limit with another clock. */
    ReadTimeLimit(Duration time, LongSupplier nanoTime) {
        this.time = time;
        this.nanoTime = nanoTime;
        begin();
    }

    /** Restarts the limit for the next trace. */
    public void begin() {
        start = nanoTime.getAsLong();
    }

    /** A stream that fails after the time limit. */
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

    /** The message about a trace that takes too long. */
    public static String tookLonger(Duration time) {
        return "took longer than " + (time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms");
    }

    private void check() throws IOException {
        if (nanoTime.getAsLong() - start > time.toNanos()) {
            throw new OverException(tookLonger(time) + " to read");
        }
    }
}
