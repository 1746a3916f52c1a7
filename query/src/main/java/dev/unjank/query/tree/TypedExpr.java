package dev.unjank.query.tree;

import java.util.function.UnaryOperator;

/**
 * An expression in DuckDB's SQL with its type.
 *
 * @param sql its text, parenthesized to stand as an operand
 * @param type its type
 * @param affinity whether it is a column or a cast; SQLite applies the type of these to the other operand of a comparison
 */
public record TypedExpr(String sql, SqlType type, boolean affinity) {
    private static final String FIRST = "-9223372036854775808";
    private static final String LAST = "9223372036854775807";

    public static final TypedExpr NULL = new TypedExpr("NULL", SqlType.NULL, false);

    public static TypedExpr of(String sql, SqlType type) {
        return new TypedExpr(sql, type, false);
    }

    public static TypedExpr truth(String sql) {
        return new TypedExpr(sql, SqlType.BOOL, false);
    }

    public TypedExpr inParentheses() {
        return new TypedExpr("(" + sql + ")", type, affinity);
    }

    /** As a value of a result: booleans become 0 or 1. */
    public TypedExpr asResult() {
        return type == SqlType.BOOL ? new TypedExpr("CAST(" + sql + " AS BIGINT)", SqlType.INT, affinity) : this;
    }

    /** As a condition: numbers other than zero are true, and strings that start with such a number. */
    public String asCondition() {
        return switch (type) {
            case BOOL -> sql;
            case NULL -> "CAST(NULL AS BOOLEAN)";
            case BLOB -> "(" + sql + " IS NOT NULL AND FALSE)";
            case INT, REAL -> "(" + sql + " <> 0)";
            case TEXT, ANY -> "(" + number().sql + " <> 0)";
        };
    }

    /** As an operand of arithmetic, wide enough that DuckDB reports an overflow only where SQLite leaves the integers. */
    public TypedExpr number() {
        return switch (type) {
            case INT -> integer();
            case REAL -> this;
            case BOOL -> asResult();
            case NULL -> new TypedExpr("CAST(NULL AS BIGINT)", SqlType.NULL, false);
            case TEXT, ANY ->
                prefix("'^\\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?'", SqlType.REAL, v -> "0");
            case BLOB ->
                new TypedExpr("CASE WHEN " + sql + " IS NOT NULL THEN CAST(0 AS BIGINT) END", SqlType.INT, false);
        };
    }

    /** As an integer, like {@code CAST(… AS INT)}. */
    public TypedExpr integer() {
        return switch (type) {
            case INT -> isWide() ? this : new TypedExpr("CAST(" + sql + " AS BIGINT)", SqlType.INT, affinity);
            case REAL ->
                // out of range: the smallest or largest integer
                new TypedExpr(
                        LetBinding.bind(
                                sql,
                                v -> "CAST(coalesce(TRY_CAST(trunc(" + v + ") AS BIGINT), CASE WHEN " + v + " > 0 THEN "
                                        + LAST + " WHEN " + v + " < 0 THEN " + FIRST + " END) AS BIGINT)"),
                        SqlType.INT,
                        false);
            case TEXT, ANY ->
                prefix(
                        "'^\\s*[-+]?[0-9]+'",
                        SqlType.INT,
                        v -> "CASE WHEN regexp_matches(" + v + ", '^\\s*[+]?[0-9]') THEN " + LAST
                                + " WHEN regexp_matches(" + v + ", '^\\s*-[0-9]') THEN " + FIRST + " ELSE 0 END");
            case BOOL, NULL, BLOB -> number();
        };
    }

    /** Whether the value is known to be BIGINT: operators return BIGINT, while a column or a subquery may be narrower. */
    private boolean isWide() {
        boolean query = sql.startsWith("(SELECT") || sql.startsWith("(WITH");
        return !query && (sql.startsWith("CAST(") || sql.startsWith("("));
    }

    /** The number at the start of a string; another value if there is none, or if it is out of range. */
    private TypedExpr prefix(String pattern, SqlType wanted, UnaryOperator<String> other) {
        String number = LetBinding.bind(
                sql,
                v -> "CAST(coalesce(TRY_CAST(trim(regexp_extract(" + v + ", " + pattern + ")) AS " + wanted.sql()
                        + "), CASE WHEN " + v + " IS NOT NULL THEN " + other.apply(v) + " END) AS " + wanted.sql()
                        + ")");
        return of(number, wanted);
    }

    public TypedExpr real() {
        TypedExpr number = number();
        return number.type == SqlType.REAL ? number : of("CAST(" + number.sql + " AS DOUBLE)", SqlType.REAL);
    }

    public TypedExpr text() {
        return switch (type) {
            case TEXT, ANY -> this;
            case NULL -> of("CAST(NULL AS VARCHAR)", SqlType.TEXT);
            // fifteen digits and a point; adding 0 removes a negative zero
            case REAL ->
                of(
                        "regexp_replace(replace(printf('%.15g', " + sql
                                + " + 0), 'inf', 'Inf'), '^(-?[0-9]+)(e|$)', '\\1.0\\2')",
                        SqlType.TEXT);
            default -> of("CAST(" + asResult().sql + " AS VARCHAR)", SqlType.TEXT);
        };
    }

    /** As a value of a given type, for columns that combine values from several sources. */
    public TypedExpr convertTo(SqlType wanted) {
        return switch (wanted) {
            case INT, BOOL -> type == SqlType.NULL ? of("CAST(NULL AS BIGINT)", SqlType.INT) : integer();
            case REAL -> real();
            case TEXT, ANY -> new TypedExpr(text().sql, wanted, affinity);
            case BLOB -> type == SqlType.BLOB ? this : of("encode(" + text().sql + ")", SqlType.BLOB);
            case NULL -> this;
        };
    }
}
