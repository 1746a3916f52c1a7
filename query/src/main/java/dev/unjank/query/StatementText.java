package dev.unjank.query;

/** Statement boundaries in text that may be incomplete. */
public final class StatementText {
    private StatementText() {}

    /**
     * Whether text ends with a complete statement: its last character that is neither white space nor comment is a
     * semicolon outside of quotes and comments.
     *
     * @param text statements, of which the last may be incomplete
     * @return true if the text can be run
     */
    public static boolean isComplete(CharSequence text) {
        boolean ended = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (startsWith(text, i, "--")) {
                int end = endOf(text, i, "\n");
                i = end < 0 ? text.length() : end;
            } else if (startsWith(text, i, "/*")) {
                i = endOf(text, i + 2, "*/");
            } else if (c == '\'' || c == '"' || c == '`') {
                i = endOf(text, i + 1, String.valueOf(c));
                ended = false;
            } else if (!Character.isWhitespace(c)) {
                ended = c == ';';
            }
            if (i < 0) {
                return false;
            }
        }
        return ended;
    }

    /** Index of the last character of the next end marker, -1 if there is none. */
    private static int endOf(CharSequence text, int from, String end) {
        for (int i = from; i < text.length(); i++) {
            if (startsWith(text, i, end)) {
                return i + end.length() - 1;
            }
        }
        return -1;
    }

    private static boolean startsWith(CharSequence text, int at, String prefix) {
        return at + prefix.length() <= text.length()
                && text.subSequence(at, at + prefix.length()).toString().equals(prefix);
    }
}
