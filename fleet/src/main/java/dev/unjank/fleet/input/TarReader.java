package dev.unjank.fleet.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads tar archives: POSIX's format with long names and large sizes, and GNU's. Links and sparse files are returned as
 * well, with the reason why they cannot be read.
 *
 * <p>Not commons-compress 1.28: it keeps a long name, global headers and the pieces of a sparse file regardless of
 * their size (a name of 4 GB that gzip packs into 4 MB: {@link OutOfMemoryError}), takes a truncated header for the end
 * of the archive, reads a file without {@code ustar} as a tar, changes the name {@code /a} to {@code a}, and gives up
 * the whole archive at one invalid record of an extended header.
 */
final class TarReader {
    private static final int BLOCK = 512;
    private static final int MAX_TEXT = 1 << 20;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final String SPARSE = "GNU.sparse.";
    private static final String SPARSE_NAME = SPARSE + "name";

    private final InputStream in;
    private @Nullable Member open;

    TarReader(InputStream in) {
        this.in = in;
    }

    /** A file in the archive. */
    final class Member extends InputStream implements TraceArchive.Entry {
        private final String name;
        private final long bytes;
        private final @Nullable String whyNot;
        private long left;

        private Member(String name, long bytes, @Nullable String whyNot) {
            this.name = name;
            this.bytes = bytes;
            this.whyNot = whyNot;
            left = bytes;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public boolean isApart() {
            return false; // the next entry follows this one
        }

        @Override
        public @Nullable String whyNot() {
            return whyNot;
        }

        @Override
        public InputStream content() {
            return this;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(into, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the archive ends within " + name);
            }
            left -= count;
            return count;
        }
    }

    /** The next file, after skipping the rest of the previous one; null at the end. */
    @Nullable
    Member next() throws IOException {
        if (open != null) {
            skip(open.left + padding(open.bytes), open.name);
            open = null;
        }
        Map<String, String> fields = new HashMap<>();
        while (true) {
            byte[] header = in.readNBytes(BLOCK);
            if (header.length == 0 || (header.length == BLOCK && isEmpty(header))) {
                return null;
            }
            if (header.length < BLOCK) {
                throw new EOFException("the archive ends within the name of a file");
            }
            if (!new String(header, 257, 5, StandardCharsets.US_ASCII).equals("ustar")) {
                throw new IOException("is not a tar archive, or is damaged");
            }
            long size = number(header, 124, 12);
            switch (header[156]) {
                case 'x' -> parseExtended(text(size), fields);
                case 'L' -> fields.put("path", withoutEnd(text(size))); // GNU's long name
                case 'K' -> fields.put("linkpath", withoutEnd(text(size)));
                case 'g' -> skip(size + padding(size), name(header)); // of all files
                case 'V', 'D' -> { // the name of the volume or a folder
                    skip(size + padding(size), name(header));
                    fields.clear();
                }
                case '3', '4', '5', '6' -> fields.clear(); // a device, a folder, a pipe
                default -> {
                    open = member(header, fields);
                    return open;
                }
            }
        }
    }

    /**
     * Parses a POSIX extended header for the next file: records {@code LENGTH KEY=VALUE\n}, where LENGTH is the length
     * of the record in bytes. Parsing ends at an invalid record.
     */
    private static void parseExtended(byte[] text, Map<String, String> fields) {
        int at = 0;
        while (at < text.length) {
            int length = 0;
            int key = at;
            while (key < text.length && text[key] >= '0' && text[key] <= '9' && length <= text.length) {
                length = 10 * length + text[key++] - '0';
            }
            int end = at + length;
            if (++key >= end || end > text.length || text[key - 1] != ' ' || text[end - 1] != '\n') {
                return;
            }
            String record = new String(text, key, end - 1 - key, StandardCharsets.UTF_8);
            int equals = record.indexOf('=');
            if (equals < 0) {
                return;
            }
            keep(record.substring(0, equals), record.substring(equals + 1), fields);
            at = end;
        }
    }

    /** Keeps only known keys, since others may exceed the available memory. */
    private static void keep(String key, String value, Map<String, String> fields) {
        switch (key) {
            case "path", "size", "linkpath", SPARSE_NAME -> fields.put(key, value);
            default -> {
                if (key.startsWith(SPARSE)) {
                    fields.put(SPARSE, "");
                }
            }
        }
    }

    private static String withoutEnd(byte[] text) {
        return new String(text, StandardCharsets.UTF_8).replace("\0", "");
    }

    private Member member(byte[] header, Map<String, String> fields) throws IOException {
        byte type = header[156];
        boolean isLink = type == '1' || type == '2';
        String size = fields.getOrDefault("size", "");
        long bytes = isLink
                ? 0 // regardless of the size in its header
                : NUMBER.matcher(size).matches() ? Long.parseLong(size) : number(header, 124, 12);
        if (type == 'S') {
            boolean more = header[482] != 0; // of the list of its pieces
            while (more) {
                byte[] pieces = in.readNBytes(BLOCK);
                more = pieces.length == BLOCK && pieces[504] != 0;
            }
        }
        String name = fields.getOrDefault("path", name(header));
        String target = fields.getOrDefault("linkpath", field(header, 157, 100));
        boolean isSparse = type == 'S' || fields.keySet().stream().anyMatch(key -> key.startsWith(SPARSE));
        return new Member(fields.getOrDefault(SPARSE_NAME, name), bytes, whyNot(type, target, isSparse));
    }

    private static @Nullable String whyNot(byte type, String target, boolean isSparse) {
        if (isSparse) {
            return "is a sparse file (tar --sparse), which is not supported: unpack the archive";
        }
        return switch (type) {
            case '0', 0, '7' -> null; // 7: contiguous
            case '1' -> "is a hard link: the same file as " + target;
            case '2' -> "is a symbolic link, which is not followed: to " + target;
            case 'M' -> "is the continuation of a file in another archive";
            default -> "has an unknown tar entry type ('" + (char) (type & 0xff) + "')";
        };
    }

    private void skip(long bytes, String name) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (EOFException e) {
            throw new EOFException("the archive ends within " + name);
        }
    }

    private byte[] text(long size) throws IOException {
        if (size > MAX_TEXT) {
            throw new IOException("is a damaged tar archive");
        }
        byte[] text = in.readNBytes((int) size);
        in.skipNBytes(padding(size));
        return text;
    }

    private static long padding(long size) {
        return -size & (BLOCK - 1);
    }

    private static boolean isEmpty(byte[] header) {
        for (byte b : header) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static String name(byte[] header) {
        String prefix = field(header, 345, 155);
        String name = field(header, 0, 100);
        return prefix.isEmpty() || header[263] != '0' ? name : prefix + "/" + name;
    }

    private static String field(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.UTF_8);
    }

    /** A number in octal digits, or in bytes if the highest bit is set. */
    private static long number(byte[] header, int from, int length) throws IOException {
        if ((header[from] & 0x80) != 0) {
            long number = 0;
            for (byte b : Arrays.copyOfRange(header, from + length - Long.BYTES, from + length)) {
                number = (number << 8) | (b & 0xff);
            }
            return check(number);
        }
        String digits = field(header, from, length).strip();
        try {
            return digits.isEmpty() ? 0 : check(Long.parseLong(digits, 8));
        } catch (NumberFormatException e) {
            throw new IOException("is a damaged tar archive", e);
        }
    }

    private static long check(long size) throws IOException {
        if (size < 0) {
            throw new IOException("is a damaged tar archive");
        }
        return size;
    }
}
