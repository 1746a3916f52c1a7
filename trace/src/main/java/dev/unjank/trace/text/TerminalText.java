package dev.unjank.trace.text;

import java.util.Locale;

/**
 * Makes strings safe to print within one line on a terminal. Names in traces, file names and error messages may
 * contain any character, including escape sequences, line breaks and bidirectional marks. All text output uses this
 * class; JSON and CSV have their own escapes.
 */
public final class TerminalText {
    /** A longer string was not written to be read. */
    private static final int MOST_SHOWN = 1_000;

    private TerminalText() {}

    /**
     * {@return at most the first 1,000 characters of a string, escaped as {@link #printable(String)} does, and its
     * length if it is longer}
     */
    public static String printableStart(String text) {
        return printable(start(text));
    }

    /**
     * {@return at most the first 1,000 characters of a string, and its length if it is longer} To be applied once, to
     * the string itself and not to a sentence that contains it.
     */
    public static String start(String text) {
        if (text.length() <= MOST_SHOWN) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MOST_SHOWN - 1)) ? MOST_SHOWN - 1 : MOST_SHOWN;
        return text.substring(0, end) + "... (" + text.length() + " characters)";
    }

    /**
     * Replaces every character that is not printable by a visible symbol: control characters by Unicode's pictures of
     * them, unpaired surrogates by U+FFFD, others by their number. For a page of HTML, where an escape would look like
     * part of the string. Joiners (U+200C, U+200D) stay: the words of several languages contain them.
     */
    public static String withSymbols(String text) {
        if (isPrintable(text)) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> appendSymbol(c, safe));
        return safe.toString();
    }

    private static void appendSymbol(int c, StringBuilder safe) {
        if (isPrintable(c) || c == 0x200c || c == 0x200d) {
            safe.appendCodePoint(c);
        } else if (c < 0x20) {
            safe.append((char) (0x2400 + c)); // U+2400 to U+241F are pictures of U+0000 to U+001F
        } else if (c == 0x7f) {
            safe.append('\u2421');
        } else if (Character.getType(c) == Character.SURROGATE) {
            safe.append('\ufffd');
        } else {
            safe.append(String.format(Locale.ROOT, "[U+%04x]", c));
        }
    }

    /**
     * Escapes every character that {@link #isPrintable(int)} rejects: a backslash, {@code u} and four hexadecimal
     * digits, or {@code U} and eight where four are not enough. Returns the string itself if it needs no escape.
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

    /** {@return whether {@link #printable(String)} returns a string unchanged} */
    public static boolean isPrintable(String text) {
        return text.codePoints().allMatch(TerminalText::isPrintable);
    }

    /**
     * Whether a character is safe to print. Control characters (C0, C1, delete), line and paragraph separators, format
     * characters such as bidirectional marks, and unpaired surrogates are not.
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
