package dev.unjank.trace.text;

import java.util.Locale;

/**
 * Makes a string safe to print as a part of one line on a terminal. Names in traces, file names and error messages may contain any
 * character, among them escape sequences, line breaks and marks that reverse the direction of a line. All text output goes through
 * this class; JSON and CSV have escapes of their own and keep the data as it is.
 */
public final class TerminalText {
    private TerminalText() {}

    /**
     * Escapes every character that {@link #isPrintable(int)} rejects: a backslash, {@code u} and four hexadecimal digits, or {@code U}
     * and eight where four are not enough.
     *
     * @param text any string
     * @return the string itself if nothing in it needs an escape
     */
    public static String printable(String text) {
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            if (!isPrintable(text.codePointAt(at))) {
                return escaped(text, at);
            }
        }
        return text;
    }

    private static String escaped(String text, int from) {
        StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, from);
        text.substring(from).codePoints().forEach(c -> {
            if (isPrintable(c)) {
                line.appendCodePoint(c);
            } else {
                line.append(String.format(Locale.ROOT, Character.isBmpCodePoint(c) ? "\\u%04x" : "\\U%08x", c));
            }
        });
        return line.toString();
    }

    /**
     * Whether {@link #printable(String)} leaves a string as it is.
     *
     * @param text any string
     * @return true if it has no character to escape
     */
    public static boolean isPrintable(String text) {
        return text.codePoints().allMatch(TerminalText::isPrintable);
    }

    /**
     * Whether a terminal shows a character in its place on the line. Not printable are control characters (C0, C1, delete), line and
     * paragraph separators, format characters such as the marks of direction, and unpaired surrogates.
     *
     * @param codePoint the character
     * @return true if it is safe to print
     */
    public static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
