package dev.unjank.trace.read.systrace;

import dev.unjank.trace.read.common.AsciiNumber;

/** The fields {@code key=value} of a line of text. Values may contain blanks if the next key is known. */
final class KeyValueFields {
    /** The result of {@link #number} if there is no such field. */
    static final long NONE = AsciiNumber.NONE;

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
        return seek(key) ? AsciiNumber.decimal(bytes, valueFrom, valueTo) : NONE;
    }

    /** A field's value as a hexadecimal integer, with or without the prefix; {@link #NONE} if it is none. */
    long hex(String key) {
        if (!seek(key)) {
            return NONE;
        }
        if (valueTo - valueFrom > 2 && bytes[valueFrom] == '0' && (bytes[valueFrom + 1] | 0x20) == 'x') {
            valueFrom += 2;
        }
        return AsciiNumber.hexadecimal(bytes, valueFrom, valueTo);
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
