package dev.unjank.trace.proto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads a varint without a loop: eight bytes are taken at once, the one that ends the number is found by its upper bit, and the
 * sevens of bits are pushed together pair by pair. Most long ones are times, of seven or eight bytes.
 */
public final class Varint {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long UPPER_BITS = 0x8080808080808080L;

    private Varint() {}

    /**
     * Takes eight bytes.
     *
     * @param bytes holds them
     * @return the bytes, the first one lowest
     */
    public static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** How many bytes the number has with which a word begins. */
    public static int length(long word) {
        return (Long.numberOfTrailingZeros(~word & UPPER_BITS) >>> 3) + 1;
    }

    /** The number with which a word begins. */
    public static long value(long word) {
        long ends = ~word & UPPER_BITS;
        long upToEnd = word & (ends ^ (ends - 1));
        long pairs = (upToEnd & 0x007f007f007f007fL) | (upToEnd & 0x7f007f007f007f00L) >>> 1;
        long fours = (pairs & 0x00003fff00003fffL) | (pairs & 0x3fff00003fff0000L) >>> 2;
        return (fours & 0x0fffffffL) | (fours & 0x0fffffff00000000L) >>> 4;
    }
}
