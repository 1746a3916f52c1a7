package dev.unjank.cli.terminal;

/** Sentences in lines. */
public final class LineWrapping {

    private LineWrapping() {}

    /**
     * Breaks a text at its spaces so that no line is wider than asked; a longer word has a line of its own.
     *
     * @param text the text, on one line
     * @param width how many columns a line may have
     * @return the lines
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
