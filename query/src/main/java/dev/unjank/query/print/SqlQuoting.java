package dev.unjank.query.print;

/** Quoting of names and strings in SQL. */
public final class SqlQuoting {
    private SqlQuoting() {}

    /** Quotes a name. */
    public static String name(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Quotes a string. */
    public static String text(String string) {
        return '\'' + string.replace("'", "''") + '\'';
    }
}
