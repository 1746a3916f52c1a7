package dev.unjank.trace.read.systrace;

/** The fields {@code key=value} of a line of text. Values may contain blanks if the next key is known. */
final class KeyValueFields {
    /** The result of {@link #number} if there is no such field. */
    static final long NONE = Long.MIN_VALUE;

    private byte[] bytes = {};
    private int from;
    private int to;
    int valueFrom;
    int valueTo;

    void reset(byte[] line, int newFrom, int newTo) {
        bytes = line;
        from = newFrom;
        to = newTo;
    }

    /** Finds a field's value, which ends before the next blank; returns false if there is none. */
    boolean seek(String key) {
        int at = find(key, from);
        if (at < 0) {
            return false;
        }
        valueFrom = at;
        valueTo = at;
        while (valueTo < to && bytes[valueTo] != ' ') {
            valueTo++;
        }
        return true;
    }

    /** Finds a field's value, which ends before another field. */
    boolean seek(String key, String next) {
        if (!seek(key)) {
            return false;
        }
        int end = find(next, valueFrom);
        if (end >= 0) {
            valueTo = Math.max(valueFrom, end - next.length() - 2);
        }
        return true;
    }

    /** A field's value as an integer, {@link #NONE} if it is none. */
    long number(String key) {
        return seek(key) ? number(10) : NONE;
    }

    /** A field's value as a hexadecimal integer, with or without the prefix; {@link #NONE} if it is none. */
    long hex(String key) {
        if (!seek(key)) {
            return NONE;
        }
        if (valueTo - valueFrom > 2 && bytes[valueFrom] == '0' && (bytes[valueFrom + 1] | 0x20) == 'x') {
            valueFrom += 2;
        }
        return number(16);
    }

    private long number(int radix) {
        int at = valueFrom;
        boolean negative = at < valueTo && bytes[at] == '-';
        if (negative) {
            at++;
        }
        if (at == valueTo || valueTo - at > (radix == 10 ? 18 : 15)) {
            return NONE;
        }
        long number = 0;
        for (; at < valueTo; at++) {
            int digit = Character.digit(bytes[at], radix);
            if (digit < 0) {
                return NONE;
            }
            number = number * radix + digit;
        }
        return negative ? -number : number;
    }

    /** The start of the value of a key, -1 if there is none. A key is at the start of the line or after a blank. */
    private int find(String key, int begin) {
        int length = key.length();
        for (int at = begin; at + length < to; at++) {
            if ((at == from || bytes[at - 1] == ' ') && bytes[at + length] == '=' && matches(key, at)) {
                return at + length + 1;
            }
        }
        return -1;
    }

    private boolean matches(String key, int at) {
        for (int i = 0; i < key.length(); i++) {
            if (bytes[at + i] != key.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
