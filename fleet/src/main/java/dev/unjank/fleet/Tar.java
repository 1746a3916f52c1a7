package dev.unjank.fleet;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a tape archive: POSIX's format with its long names and large sizes, and GNU's. */
final class Tar {
    private static final int BLOCK = 512;
    private static final int MAX_NAME = 1 << 16;
    private static final Pattern PATH = Pattern.compile("[0-9]+ path=([^\n]*)\n");
    private static final Pattern SIZE = Pattern.compile("[0-9]+ size=([0-9]{1,18})\n");

    private final InputStream in;
    private @Nullable Member open;

    Tar(InputStream in) {
        this.in = in;
    }

    /** A file in the archive. */
    final class Member extends InputStream implements Archive.Entry {
        private final String name;
        private final long bytes;
        private long left;

        private Member(String name, long bytes) {
            this.name = name;
            this.bytes = bytes;
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
        String longName = null;
        long longSize = -1;
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
            long size = longSize >= 0 ? longSize : number(header, 124, 12);
            switch (header[156]) {
                case 'x' -> { // what POSIX adds to the next header
                    String said = text(size);
                    longName = first(PATH, said, longName);
                    String number = first(SIZE, said, null);
                    longSize = number == null ? -1 : Long.parseLong(number);
                }
                case 'L' -> longName = text(size).replace("\0", ""); // GNU's way to say a long name
                case '0', 0 -> {
                    open = new Member(longName != null ? longName : name(header), size);
                    return open;
                }
                default -> { // a folder, a link, a device
                    skip(size + padding(size), name(header));
                    longName = null;
                    longSize = -1;
                }
            }
        }
    }

    private void skip(long bytes, String name) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (EOFException e) {
            throw new EOFException("the archive ends within " + name);
        }
    }

    private static @Nullable String first(Pattern pattern, String text, @Nullable String otherwise) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }

    private String text(long size) throws IOException {
        if (size > MAX_NAME) {
            throw new IOException("is a damaged tar archive");
        }
        String text = new String(in.readNBytes((int) size), StandardCharsets.UTF_8);
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
