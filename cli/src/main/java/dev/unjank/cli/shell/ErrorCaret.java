package dev.unjank.cli.shell;

import dev.unjank.trace.text.TerminalText;

/** Shows the position of an error: the line of SQL, and a caret under the place. */
final class ErrorCaret {
    private static final String CUT = "…";

    private ErrorCaret() {}

    /**
     * The line and the caret, each with a line end. A line wider than the terminal is cut on both sides of the place.
     */
    static String under(String text, int offset, int width) {
        int at = Math.min(offset, text.length());
        int start = text.lastIndexOf('\n', at - 1) + 1;
        int end = text.indexOf('\n', at);
        String line = shown(text.substring(start, end < 0 ? text.length() : end));
        int column = at - start;
        int room = Math.max(width, 10);
        int first = line.length() <= room || column < room / 2 ? 0 : column - room / 2;
        int last = Math.min(line.length(), first + room - 2);
        if (line.length() <= room) {
            last = line.length();
        }
        String before = first > 0 ? CUT : "";
        String after = last < line.length() ? CUT : "";
        return before + line.substring(first, last) + after + "\n" + " ".repeat(before.length() + column - first)
                + "^\n";
    }

    /** The line with one column per char and without control characters. */
    private static String shown(String line) {
        StringBuilder shown = new StringBuilder();
        line.chars().forEach(c -> {
            shown.append(TerminalText.isPrintable(c) ? (char) c : c == '\t' ? ' ' : '?');
        });
        return shown.toString();
    }
}
