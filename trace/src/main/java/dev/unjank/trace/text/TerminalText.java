package dev.unjank.trace.text;

import java.util.Locale;

/**
 * Makes strings safe to print within one line on a terminal. Names in traces, file names and error messages may
 * contain any character, including escape sequences, line breaks and bidirectional marks. All text output uses this
 * class; JSON and CSV have their own escapes.
 */
public final class TerminalText {
    private TerminalText() {}

    /**
     * Escapes every character that {@link #isPrintable(int)} rejects, with a backslash, {@code u} and four
     * hexadecimal digits, or {@code U} and eight for supplementary characters.
     *
     * @param text a string
     * @return the string itself if it needs no escape
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
     * Whether {@link #printable(String)} returns a string unchanged.
     *
     * @param text a string
     * @return true if it needs no escape
     */
    public static boolean isPrintable(String text) {
        return text.codePoints().allMatch(TerminalText::isPrintable);
    }

    /**
     * Whether a character is safe to print. Control characters (C0, C1, delete), line and paragraph separators,
     * format characters such as bidirectional marks, and unpaired surrogates are not.
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
