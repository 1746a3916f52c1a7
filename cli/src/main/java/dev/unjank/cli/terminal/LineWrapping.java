package dev.unjank.cli.terminal;

/** Wraps text at spaces. */
public final class LineWrapping {

    private LineWrapping() {}

    /**
     * Wraps a string without line breaks to a number of columns. A word that is longer than a line has its own line.
     */
    public static String wrapped(String text, int width) {
        StringBuilder lines = new StringBuilder(text.length());
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0) {
                boolean fits = column + 1 + word.length() <= width;
                lines.append(fits ? " " : System.lineSeparator());
                column = fits ? column + 1 : 0;
            }
            lines.append(word);
            column += word.length();
        }
        return lines.toString();
    }
}
