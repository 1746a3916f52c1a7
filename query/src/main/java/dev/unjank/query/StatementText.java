package dev.unjank.query;

/** Where statements end. */
public final class StatementText {
    private StatementText() {}

    /**
     * Whether a text ends with a whole statement: its last character that is neither white space nor comment is a semicolon
     * outside of quotes and comments.
     *
     * @param text statements, the last perhaps not written to its end
     * @return true if it can be run as it is
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

    /** The last index of what ends here, -1 if it does not. */
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
