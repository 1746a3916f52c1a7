package dev.unjank.trace.read.systrace;

import dev.unjank.trace.read.input.ByteSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A source of bytes with lookahead, to search for text. */
final class ByteScanner {
    private static final int BUFFER = 1 << 16;

    private final ByteSource source;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private boolean exhausted;

    ByteScanner(ByteSource source) {
        this.source = source;
    }

    /** The next byte, -1 at the end. */
    int read() throws IOException {
        return has(1) ? buffer[position++] & 0xff : -1;
    }

    /** The next bytes as text, fewer at the end; they are not consumed. */
    String peek(int length) throws IOException {
        has(length);
        return new String(buffer, position, Math.min(length, limit - position), StandardCharsets.ISO_8859_1);
    }

    /** Skips some bytes. */
    void skip(int length) throws IOException {
        has(length);
        position = Math.min(limit, position + length);
    }

    /** Skips blanks and line feeds. */
    void skipBlanks() throws IOException {
        while (has(1) && (buffer[position] == ' ' || (buffer[position] >= '\t' && buffer[position] <= '\r'))) {
            position++;
        }
    }

    /** Whether a string, given in lower case, comes next, in any case. */
    boolean isAt(String text) throws IOException {
        if (!has(text.length())) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            int b = buffer[position + i];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Skips to the end of a string; returns false if it does not occur. */
    boolean skipTo(String text) throws IOException {
        while (has(1)) {
            if (isAt(text)) {
                position += text.length();
                return true;
            }
            position++;
        }
        return false;
    }

    private boolean has(int length) throws IOException {
        if (limit - position < length && !exhausted) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            limit -= position;
            position = 0;
            while (limit < length && !exhausted) {
                int read = source.read(buffer, limit, buffer.length - limit);
                exhausted = read < 0;
                limit += Math.max(read, 0);
            }
        }
        return limit - position >= length;
    }
}
