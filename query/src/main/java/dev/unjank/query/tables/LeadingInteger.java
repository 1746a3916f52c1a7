package dev.unjank.query.tables;

/** Numbers in texts, as SQLite sees them. */
final class LeadingInteger {
    private LeadingInteger() {}

    /** {@code CAST(text AS INT)}: the number that a text begins with, 0 if that is none; what 64 bits cannot hold is the last they can. */
    static long beginning(String text) {
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
