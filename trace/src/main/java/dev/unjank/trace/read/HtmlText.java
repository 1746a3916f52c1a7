package dev.unjank.trace.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The text of traces within a page of systrace. It stands in scripts that are no programs: as it is, or packed and then written
 * in base 64. In the oldest pages it is a long string of a program.
 */
final class HtmlText {
    private static final int MAX_TAG = 4096;
    private static final String SCRIPT = "<script";
    private static final String SCRIPT_END = "</script";
    private static final String OLD_STRING = "linuxPerfData = \"";

    /** The first characters of what gzip packed, in base 64. */
    private static final String GZIP = "H4sI";

    /** So far into a program the string of the oldest pages is looked for. */
    private static final int PROGRAM_HEAD = 512;

    private final ByteScanner page;
    private final Unpacking unpacking;

    HtmlText(PacketStream.Source source, Unpacking unpacking) {
        this.page = new ByteScanner(source);
        this.unpacking = unpacking;
    }

    /** The next trace's text, null if there is none; the last one must be read to its end before. */
    PacketStream.@Nullable Source next() throws IOException {
        while (page.skipTo(SCRIPT)) {
            String tag = tag();
            if (tag.contains("trace-data") || tag.contains("viewer-data")) {
                return content();
            }
            int begin = page.peek(PROGRAM_HEAD).indexOf(OLD_STRING);
            if (begin >= 0) {
                page.skip(begin + OLD_STRING.length());
                return new StringContent();
            }
        }
        return null;
    }

    private String tag() throws IOException {
        StringBuilder tag = new StringBuilder();
        for (int b; tag.length() < MAX_TAG && (b = page.read()) >= 0 && b != '>'; ) {
            tag.append((char) b);
        }
        return tag.toString().toLowerCase(Locale.ROOT);
    }

    private PacketStream.Source content() throws IOException {
        page.skipBlanks();
        String head = page.peek(GZIP.length());
        if (head.equals(GZIP)) {
            return unpacking.of(() -> new GZIPInputStream(decoded()));
        } else if (isZlib(head)) {
            return unpacking.of(() -> new InflaterInputStream(decoded()));
        }
        return this::readPlain;
    }

    private InputStream decoded() {
        return Base64.getMimeDecoder().wrap(new SourceStream(this::readPlain));
    }

    private static boolean isZlib(String head) {
        try {
            byte[] bytes = Base64.getDecoder().decode(head.getBytes(StandardCharsets.ISO_8859_1));
            return bytes.length >= 2 && CtraceText.isZlib(bytes[0], bytes[1]);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Reads up to the end of the script. */
    private int readPlain(byte[] into, int from, int length) throws IOException {
        int count = 0;
        while (count < length && !page.isAt(SCRIPT_END)) {
            int b = page.read();
            if (b < 0) {
                break;
            }
            into[from + count++] = (byte) b;
        }
        return count == 0 ? -1 : count;
    }

    /** Reads up to the end of a program's string. */
    private final class StringContent implements PacketStream.Source {
        private boolean ended;

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = 0;
            while (count < length && !ended) {
                int b = page.read();
                if (b == '\\') {
                    b = page.read();
                    if (b == '\n') {
                        continue; // the string goes on in the next line
                    }
                    b = b == 'n' ? '\n' : b == 't' ? '\t' : b;
                } else if (b == '"') {
                    b = -1;
                }
                if (b < 0) {
                    ended = true;
                } else {
                    into[from + count++] = (byte) b;
                }
            }
            return count == 0 ? -1 : count;
        }
    }
}
