package dev.unjank.trace.text;

/** Integers at the start of strings, as SQLite converts them. */
public final class LeadingInteger {
    private LeadingInteger() {}

    /** {@code CAST(text AS INT)}: the integer at the start of a string, 0 if there is none; clamped to 64 bits. */
    public static long parse(String text) {
        String stripped = text.strip();
        int begin = stripped.startsWith("-") || stripped.startsWith("+") ? 1 : 0;
        int end = begin;
        while (end < stripped.length() && stripped.charAt(end) >= '0' && stripped.charAt(end) <= '9') {
            end++;
        }
        if (end == begin) {
            return 0;
        }
        try {
            return Long.parseLong(stripped, 0, end, 10);
        } catch (NumberFormatException _) {
            return stripped.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
