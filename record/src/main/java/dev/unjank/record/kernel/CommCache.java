package dev.unjank.record.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A direct-mapped cache of thread names ({@code comm}) as strings. */
final class CommCache {
    private static final int COMM_BYTES = 16;
    private static final int SLOTS = 1 << 10;

    private final long[] low = new long[SLOTS];
    private final long[] high = new long[SLOTS];
    private final @Nullable String[] texts = new @Nullable String[SLOTS];

    /** The string of some bytes, up to the first zero. */
    String get(MemorySegment page, long from, int size) {
        if (size != COMM_BYTES) {
            return text(page, from, size);
        }
        long a = page.get(JAVA_LONG_UNALIGNED, from);
        long b = page.get(JAVA_LONG_UNALIGNED, from + Long.BYTES);
        long mixed = (a ^ Long.rotateLeft(b, 29)) * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 54);
        String known = texts[slot];
        if (known == null || low[slot] != a || high[slot] != b) {
            known = text(page, from, size);
            low[slot] = a;
            high[slot] = b;
            texts[slot] = known;
        }
        return known;
    }

    private static String text(MemorySegment page, long from, int size) {
        byte[] bytes = new byte[size];
        int length = 0;
        while (length < size) {
            byte b = page.get(JAVA_BYTE, from + length);
            if (b == 0) {
                break;
            }
            bytes[length++] = b;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
