package dev.unjank.trace.read.systrace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of a list of processes or threads as {@code ps} prints it. */
record PsColumns(List<String> titles) {
    private static final int MAX_DIGITS = 9;
    private static final String STATES = "RSDTtZXxKWPI";

    /** The columns that a header names; null for another line. */
    static @Nullable PsColumns ofHeader(String line) {
        List<String> words = List.of(line.split("\\s+", -1));
        return words.size() > 2 && words.getFirst().equals("USER") && words.contains("PID")
                ? new PsColumns(words)
                : null;
    }

    boolean has(String title) {
        return titles.contains(title);
    }

    /** The number in a column, -1 if there is none. */
    int number(String title, String line) {
        int column = titles.indexOf(title);
        String[] words = line.split("\\s+", -1);
        if (column < 0 || column >= words.length || words[column].length() > MAX_DIGITS) {
            return -1;
        }
        try {
            return Integer.parseInt(words[column]);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /**
     * The name in a row, empty if there is none: the rest of the line if it is the last column, otherwise one word. A
     * state letter before it, which may have no title, is not part of it.
     */
    String name(String line) {
        int column = Math.max(titles.indexOf("NAME"), titles.indexOf("CMD"));
        if (column < 0) {
            return "";
        }
        boolean isLast = column == titles.size() - 1;
        String[] words = line.split("\\s+", column + (isLast ? 1 : 2));
        String name = column < words.length ? words[column] : "";
        boolean hasUntitledState = isLast && !has("S") && has("PC");
        return hasUntitledState && name.length() > 2 && name.charAt(1) == ' ' && STATES.indexOf(name.charAt(0)) >= 0
                ? name.substring(2).stripLeading()
                : name;
    }
}
