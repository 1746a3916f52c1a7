package dev.unjank.query.tree;

import java.util.Locale;
import java.util.Set;

/**
 * The type of a column or expression. In SQLite each value has its own type; here, as in any columnar engine, a column
 * has one.
 */
public enum SqlType {
    /** 64-bit integers. */
    INT,
    /** Floating-point numbers. */
    REAL,
    /** Strings. */
    TEXT,
    /** Bytes. */
    BLOB,
    /** DuckDB's booleans, which SQLite shows as 0 and 1. */
    BOOL,
    /** Only NULL. */
    NULL,
    /** Strings that are compared as numbers if they look like numbers: values that have several types in SQLite. */
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

    /** DuckDB's name of the type. */
    public String sql() {
        return switch (this) {
            case INT, NULL -> "BIGINT";
            case REAL -> "DOUBLE";
            case TEXT, ANY -> "VARCHAR";
            case BLOB -> "BLOB";
            case BOOL -> "BOOLEAN";
        };
    }

    /** The type to which both can be converted. */
    public SqlType commonType(SqlType other) {
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

    /** Whether a name is a type of Perfetto or SQLite. */
    public static boolean isName(String typeName) {
        return NAMES.contains(typeName.toUpperCase(Locale.ROOT));
    }

    /**
     * Whether a value of this type can be passed for a parameter; integers and floating-point numbers convert to each
     * other.
     */
    public boolean isAssignableTo(SqlType argument) {
        return this == NULL
                || this == ANY
                || argument == ANY
                || this == argument
                || (isNumber() && argument.isNumber());
    }

    /** The type as shown in messages. */
    public String displayName() {
        return switch (this) {
            case INT, BOOL -> "an integer";
            case REAL -> "a floating-point number";
            case TEXT, ANY -> "a string";
            case BLOB -> "bytes";
            case NULL -> "NULL";
        };
    }

    /** The type of a declared type name, by SQLite's and Perfetto's affinity rules. */
    public static SqlType ofName(String typeName) {
        String name = typeName.toUpperCase(Locale.ROOT);
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
