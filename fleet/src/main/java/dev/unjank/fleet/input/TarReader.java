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
 * Reads a tape archive: POSIX's format with its long names and large sizes, and GNU's. What is a file there and cannot be read here, such
 * as a link or a file with holes, is told as well, with the reason.
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
            return false; // the next one begins where this one ends
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

    /** The next file; null at the end. What is left of the one before is passed over. */
    @Nullable
    Member next() throws IOException {
        if (open != null) {
            skip(open.left + padding(open.bytes), open.name);
            open = null;
        }
        Map<String, String> said = new HashMap<>();
        while (true) {
            byte[] header = in.readNBytes(BLOCK);
            if (header.length == 0 || (header.length == BLOCK && isEmpty(header))) {
                return null;
            }
            if (header.length < BLOCK) {
                throw new EOFException("the archive ends within the name of a file");
            }
            if (!new String(header, 257, 5, StandardCharsets.US_ASCII).equals("ustar")) {
                throw new IOException("is no tar archive, or a damaged one");
            }
            long size = number(header, 124, 12);
            switch (header[156]) {
                case 'x' -> hear(text(size), said);
                case 'L' -> said.put("path", withoutEnd(text(size))); // GNU's way to say a long name
                case 'K' -> said.put("linkpath", withoutEnd(text(size)));
                case 'g' -> skip(size + padding(size), name(header)); // of all files
                case 'V', 'D' -> { // the archive's name, or a folder's
                    skip(size + padding(size), name(header));
                    said.clear();
                }
                case '3', '4', '5', '6' -> said.clear(); // a device, a folder, a pipe
                default -> {
                    open = member(header, said);
                    return open;
                }
            }
        }
    }

    /**
     * Takes what a header of POSIX's says of the file that follows: records of the form {@code LENGTH KEY=VALUE\n}, each as many bytes
     * long as its first number tells. What is none ends them.
     */
    private static void hear(byte[] text, Map<String, String> said) {
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
            note(record.substring(0, equals), record.substring(equals + 1), said);
            at = end;
        }
    }

    /** Keeps what is of use, since there may be more of the rest than there is memory. */
    private static void note(String key, String value, Map<String, String> said) {
        switch (key) {
            case "path", "size", "linkpath", SPARSE_NAME -> said.put(key, value);
            default -> {
                if (key.startsWith(SPARSE)) {
                    said.put(SPARSE, "");
                }
            }
        }
    }

    private static String withoutEnd(byte[] text) {
        return new String(text, StandardCharsets.UTF_8).replace("\0", "");
    }

    private Member member(byte[] header, Map<String, String> said) throws IOException {
        byte type = header[156];
        boolean isLink = type == '1' || type == '2';
        String size = said.getOrDefault("size", "");
        long bytes = isLink
                ? 0 // whatever its header says
                : NUMBER.matcher(size).matches() ? Long.parseLong(size) : number(header, 124, 12);
        if (type == 'S') {
            boolean more = header[482] != 0; // of the list of its pieces
            while (more) {
                byte[] pieces = in.readNBytes(BLOCK);
                more = pieces.length == BLOCK && pieces[504] != 0;
            }
        }
        String name = said.getOrDefault("path", name(header));
        String target = said.getOrDefault("linkpath", field(header, 157, 100));
        boolean isSparse = type == 'S' || said.keySet().stream().anyMatch(key -> key.startsWith(SPARSE));
        return new Member(said.getOrDefault(SPARSE_NAME, name), bytes, whyNot(type, target, isSparse));
    }

    private static @Nullable String whyNot(byte type, String target, boolean isSparse) {
        if (isSparse) {
            return "is a file with holes (tar --sparse), which is not put together here: unpack the archive";
        }
        return switch (type) {
            case '0', 0, '7' -> null; // the last one is to lie in one piece, on disks that have such
            case '1' -> "is a hard link: the same file as " + target;
            case '2' -> "is a symbolic link, which is not followed: to " + target;
            case 'M' -> "is the rest of a file that begins in another archive";
            default -> "is of a kind that is not known in tar archives ('" + (char) (type & 0xff) + "')";
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

    /** Octal digits, or bytes behind a set bit if the number is too large for them. */
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
