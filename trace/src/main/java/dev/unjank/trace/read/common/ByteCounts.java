package dev.unjank.trace.read.common;

import java.util.Locale;

/** Formats numbers of bytes for messages. */
public final class ByteCounts {
    private ByteCounts() {}

    /** A number of bytes as text: {@code 512 bytes}, {@code 24.0 MB}. */
    public static String megabytes(long bytes) {
        return bytes < 100_000 ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
