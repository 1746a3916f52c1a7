package dev.unjank.query.print;

/** Pieces of SQL text. */
public final class SqlQuoting {
    private SqlQuoting() {}

    /** A name, quoted. */
    public static String name(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** A text, quoted. */
    public static String text(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
