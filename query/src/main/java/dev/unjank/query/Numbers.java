package dev.unjank.query;

/** Numbers in texts, as SQLite sees them. */
final class Numbers {
    private Numbers() {}

    /** {@code CAST(text AS INT)}: the number that a text begins with; 0 if that is none, or none of 64 bits. */
    static long beginning(String text) {
        String stripped = text.strip();
        int end = stripped.startsWith("-") || stripped.startsWith("+") ? 1 : 0;
        while (end < stripped.length() && stripped.charAt(end) >= '0' && stripped.charAt(end) <= '9') {
            end++;
        }
        try {
            return Long.parseLong(stripped, 0, end, 10);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
