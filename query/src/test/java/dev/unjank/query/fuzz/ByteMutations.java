package dev.unjank.query.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Changes to bytes of any format: cuts, copies, flipped bits. */
final class ByteMutations {
    private static final byte[] TELLING = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff, '\n', ' ', '|', ':'};

    private ByteMutations() {}

    /** A copy in which a range is replaced. */
    static byte[] replaced(byte[] bytes, int from, int to, byte[] by) {
        byte[] all = Arrays.copyOf(bytes, bytes.length - (to - from) + by.length);
        System.arraycopy(by, 0, all, from, by.length);
        System.arraycopy(bytes, to, all, from + by.length, bytes.length - to);
        return all;
    }

    static byte[] changed(Random random, byte[] bytes) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int from = random.nextInt(bytes.length);
        int most = random.nextBoolean() ? 16 : 4_096;
        int to = Math.min(bytes.length, from + 1 + random.nextInt(most));
        return switch (random.nextInt(8)) {
            case 0 -> flipped(random, bytes, 1 + random.nextInt(3));
            case 1 -> flipped(random, bytes, 1 + random.nextInt(64));
            case 2 -> Arrays.copyOf(bytes, from);
            case 3 -> replaced(bytes, from, to, new byte[0]);
            case 4 -> {
                int at = random.nextInt(bytes.length);
                yield replaced(bytes, at, at, Arrays.copyOfRange(bytes, from, to));
            }
            case 5 -> {
                byte[] copy = bytes.clone();
                int at = random.nextInt(bytes.length);
                System.arraycopy(bytes, from, copy, at, Math.min(to - from, bytes.length - at));
                yield copy;
            }
            case 6 -> {
                byte[] copy = bytes.clone();
                Arrays.fill(copy, from, Math.min(to, from + 8), TELLING[random.nextInt(TELLING.length)]);
                yield copy;
            }
            default -> {
                byte[] noise = new byte[1 + random.nextInt(16)];
                random.nextBytes(noise);
                yield replaced(bytes, from, from, noise);
            }
        };
    }

    private static byte[] flipped(Random random, byte[] bytes, int bits) {
        byte[] copy = bytes.clone();
        for (int i = 0; i < bits; i++) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    /** UTF-8, or an invalid encoding of an unpaired surrogate. */
    static byte[] of(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                out.write(0xe0 | (c >> 12));
                out.write(0x80 | ((c >> 6) & 0x3f));
                out.write(0x80 | (c & 0x3f));
            } else {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
            i += Character.charCount(c);
        }
        return out.toByteArray();
    }

    /** A number as protobuf and the Flight Recorder write it. */
    static byte[] varint(long value) {
        byte[] bytes = new byte[10];
        int length = 0;
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return Arrays.copyOf(bytes, length);
    }

    /** A boundary value or one next to it. */
    static long number(Random random, long value) {
        return switch (random.nextInt(14)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> -1;
            case 3 -> Integer.MAX_VALUE;
            case 4 -> Integer.MIN_VALUE;
            case 5 -> 0xffffffffL;
            case 6 -> Long.MAX_VALUE;
            case 7 -> Long.MIN_VALUE;
            case 8 -> value + 1;
            case 9 -> value - 1;
            case 10 -> -value;
            case 11 -> value * 1_000;
            case 12 -> random.nextInt(1 << 16);
            default -> random.nextLong() >>> random.nextInt(64);
        };
    }
}
