package dev.unjank.record.linux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Bounded reads of files of {@code /proc} whose length another process controls: a command line may have gigabytes, a
 * table of mappings a million lines.
 */
public final class ProcFile {
    /**
     * The default limit, longer than any file whose content only the kernel determines, except files that list groups.
     */
    private static final int USUAL = 1 << 16;

    /** The maximum length of a line, four times the longest path with every byte escaped. */
    static final int LONGEST_LINE = 1 << 16;

    /** The maximum size of a file, enough for half a million mappings of files with long names. */
    static final long MOST_BYTES = 128L << 20;

    private static final int BUFFER = 1 << 16;

    private ProcFile() {}

    /** The first {@code most} bytes of a file. */
    static byte[] bytes(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most);
        }
    }

    /** The beginning of a file as UTF-8 text: no more than 64 KB. */
    public static String text(Path file) throws IOException {
        return new String(bytes(file, USUAL), StandardCharsets.UTF_8);
    }

    /**
     * Searches a file line by line. Only the beginning of a line that is too long is passed on.
     *
     * @param look takes a line, one character per byte; returns a value for a matching line, otherwise null
     * @return the value of the first matching line; null if there is none
     * @throws IOException if the file cannot be read or exceeds the size limit
     */
    public static <T> @Nullable T first(Path file, Function<String, @Nullable T> look) throws IOException {
        return first(file, look, MOST_BYTES);
    }

    static <T> @Nullable T first(Path file, Function<String, @Nullable T> look, long mostBytes) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER];
        long bytes = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (int count; (count = in.read(buffer)) >= 0; ) {
                bytes += count;
                if (bytes > mostBytes) {
                    throw new IOException(file + " exceeds the limit of " + (mostBytes >> 20) + " MB");
                }
                int from = 0;
                for (int at = 0; at < count; at++) {
                    if (buffer[at] == '\n') {
                        add(line, buffer, from, at);
                        T found = look.apply(line.toString(StandardCharsets.ISO_8859_1));
                        if (found != null) {
                            return found;
                        }
                        line.reset();
                        from = at + 1;
                    }
                }
                add(line, buffer, from, count);
            }
        }
        return line.size() == 0 ? null : look.apply(line.toString(StandardCharsets.ISO_8859_1));
    }

    private static void add(ByteArrayOutputStream line, byte[] buffer, int from, int to) {
        line.write(buffer, from, Math.min(to - from, LONGEST_LINE - line.size()));
    }
}
