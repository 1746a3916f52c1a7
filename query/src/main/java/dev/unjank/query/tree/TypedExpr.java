package dev.unjank.query.tree;

import dev.unjank.query.source.Token;

/**
 * An expression in DuckDB's SQL with its type.
 *
 * @param sql its tree
 * @param type its type
 * @param affinity whether it is a column or a cast; SQLite applies the type of these to the other operand of a
 *     comparison
 */
public record TypedExpr(Sql sql, SqlType type, boolean affinity) {
    public static final TypedExpr NULL = new TypedExpr(Sql.NULL, SqlType.NULL, false);

    public static TypedExpr of(Sql sql, SqlType type) {
        return new TypedExpr(sql, type, false);
    }

    public static TypedExpr truth(Sql sql) {
        return new TypedExpr(sql, SqlType.BOOL, false);
    }

    /** This expression as the translation of a token. */
    public TypedExpr at(Token token) {
        return new TypedExpr(sql.at(token), type, affinity);
    }

    /** As a value of a result: booleans become 0 or 1. */
    public TypedExpr asResult() {
        return type == SqlType.BOOL ? new TypedExpr(Sql.cast(sql, SqlType.INT), SqlType.INT, affinity) : this;
    }

    /** As a condition: numbers other than zero are true, and strings that start with such a number. */
    public Sql asCondition() {
        return switch (type) {
            case BOOL -> sql;
            case NULL -> Sql.cast(Sql.NULL, SqlType.BOOL);
            case BLOB -> Sql.infix(Sql.isNotNull(sql), "AND", Sql.FALSE);
            case INT, REAL -> Sql.infix(sql, "<>", Sql.bare(0));
            case TEXT, ANY -> Sql.infix(number().sql, "<>", Sql.bare(0));
        };
    }

    /**
     * As an operand of arithmetic, wide enough that DuckDB reports an overflow only where SQLite leaves the integers.
     */
    public TypedExpr number() {
        return switch (type) {
            case INT -> integer();
            case REAL -> this;
            case BOOL -> asResult();
            case NULL -> of(Sql.cast(Sql.NULL, SqlType.INT), SqlType.NULL);
            case TEXT, ANY -> of(Sql.macro("sqlite_number", sql), SqlType.REAL);
            case BLOB -> of(Sql.choice(Sql.isNotNull(sql), Sql.integer(0)), SqlType.INT);
        };
    }

    /** As an integer, like {@code CAST(… AS INT)}. */
    public TypedExpr integer() {
        return switch (type) {
            case INT -> isWide() ? this : new TypedExpr(Sql.cast(sql, SqlType.INT), SqlType.INT, affinity);
            case REAL -> of(Sql.macro("sqlite_truncated", sql), SqlType.INT);
            case TEXT, ANY -> of(Sql.macro("sqlite_integer", sql), SqlType.INT);
            case BOOL, NULL, BLOB -> number();
        };
    }

    /** Whether the value is known to be BIGINT: a column or a subquery may be narrower. */
    private boolean isWide() {
        return switch (sql.form()) {
            case Sql.Int _ -> true;
            case Sql.Cast cast -> cast.type() == SqlType.INT;
            case Sql.Infix _, Sql.Prefix _ -> true;
            default -> false;
        };
    }

    public TypedExpr real() {
        TypedExpr number = number();
        return number.type == SqlType.REAL ? number : of(Sql.cast(number.sql, SqlType.REAL), SqlType.REAL);
    }

    public TypedExpr text() {
        return switch (type) {
            case TEXT, ANY -> this;
            case NULL -> of(Sql.cast(Sql.NULL, SqlType.TEXT), SqlType.TEXT);
            case REAL -> of(Sql.macro("sqlite_real_text", sql), SqlType.TEXT);
            default -> of(Sql.cast(asResult().sql, SqlType.TEXT), SqlType.TEXT);
        };
    }

    /** As a value of a given type, for columns that combine values from several sources. */
    public TypedExpr convertTo(SqlType wanted) {
        return switch (wanted) {
            case INT, BOOL -> type == SqlType.NULL ? of(Sql.cast(Sql.NULL, SqlType.INT), SqlType.INT) : integer();
            case REAL -> real();
            case TEXT, ANY -> new TypedExpr(text().sql, wanted, affinity);
            case BLOB -> type == SqlType.BLOB ? this : of(Sql.call("encode", text().sql), SqlType.BLOB);
            case NULL -> this;
        };
    }
}
