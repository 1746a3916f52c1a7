package dev.unjank.doctor.report.text;

import dev.unjank.doctor.report.MessageCatalogue;

/** Wraps, pads and rules text for a terminal of a given width. Colour sequences have no width. */
final class TextPage {
    private static final int LABEL = 15;

    private final StringBuilder out = new StringBuilder();
    private final TextReport.Style style;

    private final int mostLines;
    private boolean isShortened;

    TextPage(TextReport.Style style) {
        this(style, Integer.MAX_VALUE);
    }

    /** Creates a page whose values have at most so many lines each, see {@link #value}. */
    TextPage(TextReport.Style style, int mostLines) {
        this.style = style;
        this.mostLines = mostLines;
    }

    /** Whether a value had too many lines. */
    boolean isShortened() {
        return isShortened;
    }

    int width() {
        return style.width();
    }

    TextPage line() {
        out.append('\n');
        return this;
    }

    TextPage line(String text) {
        out.append(text.stripTrailing()).append('\n');
        return this;
    }

    String coloured(AnsiColour ink, String text) {
        return ink.on(text, style.colour());
    }

    /**
     * Text in lines of at most the width, the first behind {@code first}, the others behind as many spaces. A number
     * stays with its unit, and so do words with {@link MessageCatalogue#NO_BREAK_SPACE} between them.
     */
    TextPage wrapped(String first, String words) {
        String text = words.replace(" ms", MessageCatalogue.NO_BREAK_SPACE + "ms");
        int indent = visible(first);
        out.append(first);
        int column = indent;
        for (int from = 0; from < text.length(); ) {
            int space = text.indexOf(' ', from);
            String word = text.substring(from, space < 0 ? text.length() : space);
            from += word.length() + 1;
            if (column > indent && column + 1 + visible(word) > style.width()) {
                column = breakLine(indent);
            } else if (column > indent) {
                out.append(' ');
                column++;
            }
            int written = 0;
            int left = visible(word);
            while (left > style.width() - column) {
                int room = Math.max(1, style.width() - column);
                int cut = indexOfColumn(word, written, room);
                if (Character.isLowSurrogate(word.charAt(cut)) && Character.isHighSurrogate(word.charAt(cut - 1))) {
                    int step = room > 1 ? -1 : 1; // never within a character
                    cut += step;
                    room += step;
                }
                out.append(word.substring(written, cut).replace(MessageCatalogue.NO_BREAK_SPACE, " "));
                written = cut;
                left -= room;
                column = breakLine(indent);
            }
            out.append(word.substring(written).replace(MessageCatalogue.NO_BREAK_SPACE, " "));
            column += left;
        }
        stripEnd();
        return line();
    }

    /** A labelled field of a form. */
    void field(String label, String value) {
        value(label(label), value);
    }

    /** As {@link #wrapped}, without the lines that are too many; a mark stands for them. */
    void value(String first, String words) {
        int start = out.length();
        wrapped(first, words);
        int end = start;
        for (int line = 0; line < mostLines && end < out.length(); line++) {
            end = out.indexOf("\n", end) + 1;
        }
        if (end < out.length()) {
            isShortened = true;
            out.setLength(end - 1);
            int line = out.lastIndexOf("\n") + 1;
            if (visible(out.substring(line)) + 2 > style.width()) {
                int space = out.lastIndexOf(" ");
                boolean isWord = space > line + visible(first);
                out.setLength(isWord ? space : out.length() - 2);
            }
            out.append(' ').append(mark()).append('\n');
        }
    }

    String label(String text) {
        return "  " + coloured(AnsiColour.DIM, left(text, LABEL));
    }

    private int breakLine(int indent) {
        stripEnd();
        out.append('\n').append(" ".repeat(indent));
        return indent;
    }

    private void stripEnd() {
        int end = out.length();
        while (end > 0 && out.charAt(end - 1) == ' ') {
            end--;
        }
        out.setLength(end);
    }

    /** A rule over the whole width with text on it; in a narrow page the middle text comes below. */
    TextPage rule(String left, AnsiColour ink, String middle, String right) {
        String dash = style.unicode() ? "━" : "=";
        if (visible(left) + visible(middle) + visible(right) + 12 > style.width()) {
            line(coloured(AnsiColour.DIM, dash.repeat(2))
                    + ' '
                    + coloured(AnsiColour.BOLD, left)
                    + ' '
                    + coloured(AnsiColour.DIM, right));
            return line("   " + coloured(ink, middle));
        }
        int used = visible(left) + visible(middle) + visible(right) + 12;
        out.append(coloured(AnsiColour.DIM, dash.repeat(2)))
                .append(' ')
                .append(coloured(AnsiColour.BOLD, left))
                .append(' ')
                .append(coloured(AnsiColour.DIM, dash.repeat(2)))
                .append(' ')
                .append(coloured(ink, middle))
                .append(' ')
                .append(coloured(AnsiColour.DIM, dash.repeat(Math.max(2, style.width() - used + 2))))
                .append(' ')
                .append(coloured(AnsiColour.DIM, right));
        return line();
    }

    /**
     * A bar of a length in proportion to {@code part / whole}, to an eighth of a column, and more of it to {@code
     * total}.
     */
    String bar(long part, long total, long whole, int columns) {
        int all = (int) Math.round((double) total / whole * columns);
        if (!style.unicode()) {
            int solid = (int) Math.round((double) part / whole * columns);
            return "#".repeat(solid) + partialBarCharacter().repeat(Math.max(0, all - solid));
        }
        int eighths = (int) Math.round((double) part / whole * columns * 8);
        String end = eighths % 8 == 0 ? "" : String.valueOf((char) ('█' + 8 - eighths % 8));
        String solid = "█".repeat(eighths / 8) + end;
        String more = partialBarCharacter().repeat(Math.max(0, all - solid.length()));
        return solid.isEmpty() && more.isEmpty() ? "▏" : solid + more;
    }

    /** The sign of which the further part of a {@link #bar} is made. */
    String partialBarCharacter() {
        return style.unicode() ? "░" : ".";
    }

    static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - visible(text)));
    }

    static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - visible(text))) + text;
    }

    /** Cut at the end if it is longer than {@code width}. */
    String fit(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        return beginning(text, width - 1) + mark();
    }

    /** Cut in the middle if it is longer than {@code width}: names of threads differ at their ends. */
    String fitAround(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        int end = Math.max(0, width - 1) / 2;
        int from = text.length() - end;
        return beginning(text, width - 1 - end)
                + mark()
                + text.substring(end > 0 && Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }

    private String mark() {
        return style.unicode() ? "…" : "~";
    }

    private static String beginning(String text, int width) {
        int end = Math.max(0, width);
        return text.substring(0, end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    }

    static int visible(String text) {
        int columns = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\u001b') {
                i = endOfInk(text, i);
            } else {
                columns++;
            }
        }
        return columns;
    }

    /** The index at which the text after {@code from} has filled the given number of columns. */
    private static int indexOfColumn(String text, int from, int columns) {
        int i = from;
        for (int seen = 0; seen < columns; i++) {
            if (text.charAt(i) == '\u001b') {
                i = endOfInk(text, i);
            } else {
                seen++;
            }
        }
        return i;
    }

    private static int endOfInk(String text, int from) {
        int end = text.indexOf('m', from);
        return end < 0 ? text.length() - 1 : end;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
