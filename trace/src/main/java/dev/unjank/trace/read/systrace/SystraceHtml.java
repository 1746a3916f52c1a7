package dev.unjank.trace.read.systrace;

import dev.unjank.trace.read.input.BoundedUnpacker;
import dev.unjank.trace.read.input.ByteSource;
import dev.unjank.trace.read.input.SourceInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the systrace text of an HTML page. It is in {@code script} elements that are not programs: plain, or
 * compressed and encoded in base 64. In the oldest pages it is a long string of a program.
 */
public final class SystraceHtml implements SystraceSections {
    private static final int MAX_TAG = 4096;
    private static final String TAG = "<";
    private static final String SCRIPT = "script";
    private static final String SCRIPT_END = "</script";
    private static final String PAGE_END = "/html>";
    private static final String OLD_STRING = "linuxPerfData = \"";

    private static final Pattern DATA = Pattern.compile("\\b(class|id)\\s*=\\s*[\"']?[^\"'>]*(trace-data|viewer-data)");

    /** The first characters of gzipped data in base 64. */
    private static final String GZIP = "H4sI";

    /** The maximum offset of the string within the program of the oldest pages. */
    private static final int PROGRAM_HEAD = 512;

    private final ByteScanner page;
    private final BoundedUnpacker unpacking;
    private boolean isEnded;

    public SystraceHtml(ByteSource source, BoundedUnpacker unpacking) {
        this.page = new ByteScanner(source);
        this.unpacking = unpacking;
    }

    /** The text of the next trace, null if there is none; the previous one must have been read to its end. */
    @Override
    public @Nullable ByteSource next() throws IOException {
        while (page.skipTo(TAG)) {
            if (page.isAt(PAGE_END)) {
                isEnded = true;
            } else if (page.isAt(SCRIPT)) {
                isEnded = false;
                if (DATA.matcher(tag()).find()) {
                    return content();
                }
                int begin = page.peek(PROGRAM_HEAD).indexOf(OLD_STRING);
                if (begin >= 0) {
                    page.skip(begin + OLD_STRING.length());
                    return new StringContent();
                }
                page.skipTo(SCRIPT_END); // strings of a program may contain tags
            }
        }
        return null;
    }

    /** Whether the page lacks its closing tag. */
    @Override
    public boolean isTruncated() {
        return !isEnded;
    }

    private String tag() throws IOException {
        StringBuilder tag = new StringBuilder();
        for (int b; tag.length() < MAX_TAG && (b = page.read()) >= 0 && b != '>'; ) {
            tag.append((char) b);
        }
        return tag.toString().toLowerCase(Locale.ROOT);
    }

    private ByteSource content() throws IOException {
        page.skipBlanks();
        String head = page.peek(GZIP.length());
        if (head.equals(GZIP)) {
            return unpacking.of(() -> new GZIPInputStream(decoded()));
        } else if (isZlib(head)) {
            return unpacking.of(() -> new InflaterInputStream(decoded()));
        }
        return new ScriptContent();
    }

    private InputStream decoded() {
        return Base64.getMimeDecoder().wrap(new SourceInputStream(new ScriptContent()));
    }

    private static boolean isZlib(String head) {
        try {
            byte[] bytes = Base64.getDecoder().decode(head.getBytes(StandardCharsets.ISO_8859_1));
            return bytes.length >= 2 && AtraceOutput.isZlib(bytes[0], bytes[1]);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Systrace text within the page. Complete text is followed by a line feed, so that only a truncated one ends within
     * a line.
     */
    private abstract static class Content implements ByteSource {
        /** Stands for the end of the text. */
        static final int END = 0x100;

        private boolean ended;

        /** The next character, {@link #END}, or -1 if the page ends before the text does. */
        abstract int next() throws IOException;

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = 0;
            while (count < length && !ended) {
                int next = next();
                ended = next < 0 || next == END;
                if (next >= 0) {
                    into[from + count++] = next == END ? (byte) '\n' : (byte) next;
                }
            }
            return count == 0 ? -1 : count;
        }
    }

    /** The text up to the end of the script. */
    private final class ScriptContent extends Content {
        @Override
        int next() throws IOException {
            return page.isAt(SCRIPT_END) ? END : page.read();
        }
    }

    /** The text up to the end of a program's string. */
    private final class StringContent extends Content {
        @Override
        int next() throws IOException {
            int b;
            do {
                b = page.read();
                if (b == '"') {
                    return END;
                } else if (b != '\\') {
                    return b;
                }
                b = page.read();
            } while (b == '\n'); // the string continues in the next line
            return b == 'n' ? '\n' : b == 't' ? '\t' : b;
        }
    }
}
