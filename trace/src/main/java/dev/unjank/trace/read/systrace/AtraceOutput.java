package dev.unjank.trace.read.systrace;

import dev.unjank.trace.read.input.BoundedUnpacker;
import dev.unjank.trace.read.input.ByteSource;
import dev.unjank.trace.read.input.SourceInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.InflaterInputStream;

/**
 * Finds the systrace text in the standard output of atrace: progress messages, a line {@link #BEGINNING}, then the
 * trace, plain or compressed with zlib.
 */
public final class AtraceOutput {
    /** Begins the line before the trace. */
    public static final String BEGINNING = "TRACE:";

    private static final int ZLIB = 0x78;

    private AtraceOutput() {}

    /** The systrace text of a source with such a line within its first bytes. */
    public static ByteSource of(byte[] head, ByteSource source, BoundedUnpacker unpacking) throws IOException {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        int line = text.startsWith(BEGINNING) ? 0 : text.indexOf("\n" + BEGINNING) + 1;
        int begin = text.indexOf('\n', line) + 1;
        if (begin == 0) {
            begin = head.length;
        }
        InputStream rest = new SourceInputStream(source);
        rest.skipNBytes(begin);
        return begin + 1 < head.length && isZlib(head[begin], head[begin + 1])
                ? unpacking.of(() -> new InflaterInputStream(rest))
                : source;
    }

    /** Whether two bytes are a zlib header. */
    static boolean isZlib(byte first, byte second) {
        return first == ZLIB && ((first & 0xff) << 8 | (second & 0xff)) % 31 == 0;
    }
}
