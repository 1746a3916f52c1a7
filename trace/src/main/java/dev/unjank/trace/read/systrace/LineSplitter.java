package dev.unjank.trace.read.systrace;

import dev.unjank.trace.read.input.ByteSource;
import java.io.IOException;
import java.util.Arrays;

/**
 * Splits a stream of bytes into lines. Lines longer than any tracer's are truncated. A line without a line feed at
 * the end of the stream is dropped, since its missing rest could change its meaning.
 */
final class LineSplitter {
    private static final int FIRST_BUFFER = 1 << 16;
    private static final int LONGEST_LINE = 1 << 20;

    private final ByteSource source;
    /** The array with the current line, valid until the next call of {@link #next}. */
    byte[] buffer = new byte[FIRST_BUFFER];

    private int position;
    private int limit;
    private boolean exhausted;
    private boolean inTooLong;
    private long number;
    /** The number of truncated lines so far. */
    long longLines;
    /** The number of the first truncated line, from 1. */
    long firstLong;
    /** Whether the stream ended within a line. */
    boolean isTruncated;
    /** The start of the current line. */
    int from;
    /** The end of the current line, before its line feed. */
    int to;

    LineSplitter(ByteSource source) {
        this.source = source;
    }

    /** Moves to the next line; returns false at the end. */
    boolean next() throws IOException {
        int scanned = position;
        while (true) {
            for (; scanned < limit; scanned++) {
                if (buffer[scanned] == '\n') {
                    boolean rest = inTooLong;
                    inTooLong = false;
                    lineTo(scanned, scanned + 1);
                    if (rest) {
                        return next();
                    }
                    number++;
                    return true;
                }
            }
            if (limit - position >= LONGEST_LINE) {
                boolean rest = inTooLong;
                inTooLong = true;
                lineTo(limit, limit);
                if (!rest) {
                    number++;
                    firstLong = longLines++ == 0 ? number : firstLong;
                    return true;
                }
                scanned = position;
            }
            if (exhausted) {
                isTruncated = position < limit || inTooLong;
                return false;
            }
            int kept = scanned - position;
            fill();
            scanned = position + kept;
        }
    }

    private void lineTo(int end, int next) {
        from = position;
        to = end > position && buffer[end - 1] == '\r' ? end - 1 : end;
        position = next;
    }

    private void fill() throws IOException {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
        if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.min(buffer.length * 2, LONGEST_LINE));
        }
        int read = source.read(buffer, limit, buffer.length - limit);
        if (read < 0) {
            exhausted = true;
        } else {
            limit += read;
        }
    }
}
