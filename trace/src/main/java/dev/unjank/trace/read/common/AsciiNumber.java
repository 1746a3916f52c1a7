package dev.unjank.trace.read.common;

/** Parses whole numbers in ASCII. */
public final class AsciiNumber {
    /** The result for anything else, and for a number that may exceed a long. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int DECIMAL = 10;
    private static final int MAX_DECIMAL_DIGITS = 18;
    private static final int MAX_HEX_DIGITS = 15;

    private AsciiNumber() {}

    public static long decimal(byte[] bytes, int from, int to) {
        return parse(bytes, from, to, DECIMAL, MAX_DECIMAL_DIGITS);
    }

    public static long hexadecimal(byte[] bytes, int from, int to) {
        return parse(bytes, from, to, 16, MAX_HEX_DIGITS);
    }

    private static long parse(byte[] bytes, int from, int to, int radix, int mostDigits) {
        int at = from;
        boolean negative = at < to && bytes[at] == '-';
        if (negative) {
            at++;
        }
        if (at == to || to - at > mostDigits) {
            return NONE;
        }
        long number = 0;
        for (; at < to; at++) {
            int digit = Character.digit(bytes[at], radix);
            if (digit < 0) {
                return NONE;
            }
            number = number * radix + digit;
        }
        return negative ? -number : number;
    }
}
