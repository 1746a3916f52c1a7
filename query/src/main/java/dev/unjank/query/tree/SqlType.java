package dev.unjank.query.tree;

import java.util.Locale;
import java.util.Set;

/**
 * What a column or an expression holds. SQLite gives each value a type of its own; here, as in any columnar engine, a column
 * has one.
 */
public enum SqlType {
    /** Whole numbers of 64 bits. */
    INT,
    /** Floating-point numbers. */
    REAL,
    /** Text. */
    TEXT,
    /** Bytes. */
    BLOB,
    /** The engine's own truth values, which SQL sees as 0 and 1. */
    BOOL,
    /** Nothing but NULL. */
    NULL,
    /** Text that stands for a number where it looks like one: what SQLite would hold as values of several types. */
    ANY;

    private static final Set<String> NAMES = Set.of(
            "BOOL",
            "INT",
            "UINT",
            "LONG",
            "TIMESTAMP",
            "DURATION",
            "ID",
            "JOINID",
            "ARGSETID",
            "DOUBLE",
            "FLOAT",
            "STRING",
            "BYTES",
            "PROTO",
            "BOOLEAN",
            "INTEGER",
            "BIGINT",
            "REAL",
            "TEXT",
            "BLOB",
            "ANY");

    public boolean isNumber() {
        return this == INT || this == REAL || this == BOOL;
    }

    public boolean isText() {
        return this == TEXT || this == ANY;
    }

    /** The engine's name of the type. */
    public String sql() {
        return switch (this) {
            case INT, NULL -> "BIGINT";
            case REAL -> "DOUBLE";
            case TEXT, ANY -> "VARCHAR";
            case BLOB -> "BLOB";
            case BOOL -> "BOOLEAN";
        };
    }

    /** The type that holds the values of both. */
    public SqlType with(SqlType other) {
        if (this == other || other == NULL) {
            return this == BOOL ? INT : this;
        }
        if (this == NULL) {
            return other == BOOL ? INT : other;
        }
        if (isNumber() && other.isNumber()) {
            return this == REAL || other == REAL ? REAL : INT;
        }
        if (this == BLOB || other == BLOB) {
            return BLOB;
        }
        return ANY;
    }

    /** Whether a name is that of a type, Perfetto's or one of SQLite's own. */
    public static boolean isName(String written) {
        return NAMES.contains(written.toUpperCase(Locale.ROOT));
    }

    /** Whether such a value can be given for an argument of a type: whole and real numbers stand for each other. */
    public boolean fits(SqlType argument) {
        return this == NULL
                || this == ANY
                || argument == ANY
                || this == argument
                || (isNumber() && argument.isNumber());
    }

    /** What to call it in a message. */
    public String shown() {
        return switch (this) {
            case INT, BOOL -> "a whole number";
            case REAL -> "a real number";
            case TEXT, ANY -> "a text";
            case BLOB -> "bytes";
            case NULL -> "NULL";
        };
    }

    /** The type that SQLite and Perfetto make of a type's written name, by its affinity. */
    public static SqlType named(String written) {
        String name = written.toUpperCase(Locale.ROOT);
        if (name.startsWith("BOOL")
                || name.equals("LONG")
                || name.endsWith("ID")
                || name.equals("TIMESTAMP")
                || name.equals("DURATION")
                || name.contains("INT")) {
            return INT;
        }
        if (name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT") || name.equals("STRING")) {
            return TEXT;
        }
        if (name.contains("BLOB") || name.equals("BYTES") || name.equals("PROTO")) {
            return BLOB;
        }
        if (name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB")) {
            return REAL;
        }
        return ANY;
    }
}
