package dev.unjank.trace.proto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes a varint without a loop: eight bytes are loaded at once, the last byte of the number is found by its upper
 * bit, and the groups of seven bits are joined pairwise. Most long varints are times of seven or eight bytes.
 */
public final class Varint {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long UPPER_BITS = 0x8080808080808080L;

    private Varint() {}

    /** Loads eight bytes, the first one lowest. */
    public static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** The length in bytes of the varint at the start of a word. */
    public static int length(long word) {
        return (Long.numberOfTrailingZeros(~word & UPPER_BITS) >>> 3) + 1;
    }

    /** The value of the varint at the start of a word. */
    public static long value(long word) {
        long ends = ~word & UPPER_BITS;
        long upToEnd = word & (ends ^ (ends - 1));
        long pairs = (upToEnd & 0x007f007f007f007fL) | (upToEnd & 0x7f007f007f007f00L) >>> 1;
        long fours = (pairs & 0x00003fff00003fffL) | (pairs & 0x3fff00003fff0000L) >>> 2;
        return (fours & 0x0fffffffL) | (fours & 0x0fffffff00000000L) >>> 4;
    }
}
