package dev.unjank.query.graph;

import java.nio.charset.StandardCharsets;

/**
 * The 64-bit hash FNV-1a of several values, as trace processor's HASH computes it: integers and reals as eight bytes,
 * strings as UTF-8.
 */
final class FnvHash {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private FnvHash() {}

    /**
     * The hash in decimal digits.
     *
     * @param values each value as a letter of its type and its text: i for integers, r for reals, s for strings
     * @param separator what is between them
     */
    static String of(String values, String separator) {
        long hash = OFFSET;
        for (String value : values.split(separator, -1)) {
            String text = value.isEmpty() ? "" : value.substring(1);
            char type = value.isEmpty() ? 's' : value.charAt(0);
            hash = switch (type) {
                case 'i' -> number(hash, Long.parseLong(text));
                case 'r' -> number(hash, Double.doubleToLongBits(Double.parseDouble(text)));
                default -> bytes(hash, text.getBytes(StandardCharsets.UTF_8));
            };
        }
        return Long.toString(hash);
    }

    private static long number(long start, long value) {
        long hash = start;
        for (int i = 0; i < Long.BYTES; i++) {
            hash = (hash ^ (value >>> (8 * i) & 0xff)) * PRIME;
        }
        return hash;
    }

    private static long bytes(long start, byte[] bytes) {
        long hash = start;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
        return hash;
    }
}
