package dev.unjank.query;

/** Pieces of SQL text. */
final class Sql {
    private Sql() {}

    /** A name, quoted. */
    static String name(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** A text, quoted. */
    static String text(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
