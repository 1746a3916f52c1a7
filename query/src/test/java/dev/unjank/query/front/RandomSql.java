package dev.unjank.query.front;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Random statements, most of which make sense to the parser and some even to the translator. */
final class RandomSql {
    private static final String[] NAMES = {
        "a", "b", "r", "t.a", "s.id", "dur", "ts", "name", "\"a\"", "[b]", "nope", "x"
    };
    private static final String[] LITERALS = {
        "1", "0", "-7", "2.5", "1e3", "'x'", "'it''s'", "NULL", "TRUE", "x'41'", "0xff", "9223372036854775807"
    };
    private static final String[] BINARY = {
        "+",
        "-",
        "*",
        "/",
        "%",
        "||",
        "=",
        "==",
        "<>",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "&",
        "|",
        "<<",
        ">>",
        "AND",
        "OR",
        "IS",
        "IS NOT",
        "LIKE",
        "NOT LIKE",
        "GLOB",
        "REGEXP",
        "IS DISTINCT FROM"
    };
    private static final String[] FUNCTIONS = {
        "count",
        "sum",
        "min",
        "max",
        "abs",
        "length",
        "substr",
        "coalesce",
        "iif",
        "round",
        "typeof",
        "group_concat",
        "lag",
        "row_number",
        "nope",
        "printf",
        "hex",
        "total",
        "str_split",
        "replace"
    };

    private final Random random;

    RandomSql(Random random) {
        this.random = random;
    }

    private String any(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private String list(int depth, int most) {
        return Stream.generate(() -> expr(depth))
                .limit(1 + random.nextInt(most))
                .collect(Collectors.joining(", "));
    }

    String expr(int depth) {
        if (depth <= 0 || chance(25)) {
            return chance(50) ? any(NAMES) : any(LITERALS);
        }
        int d = depth - 1;
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> expr(d) + " " + any(BINARY) + " " + expr(d);
            case 4 -> any("NOT ", "-", "+", "~") + " " + expr(d);
            case 5 -> "(" + expr(d) + ")";
            case 6 -> expr(d) + any(" IS NULL", " NOTNULL", " NOT NULL", " ISNULL", " COLLATE NOCASE");
            case 7 -> expr(d) + any(" ", " NOT ") + "BETWEEN " + expr(d) + " AND " + expr(d);
            case 8 -> expr(d) + any(" ", " NOT ") + "IN (" + list(d, 3) + ")";
            case 9 -> expr(d) + " IN (" + query(d) + ")";
            case 10 ->
                "CASE " + (chance(30) ? expr(d) : "") + " WHEN " + expr(d) + " THEN " + expr(d)
                        + (chance(50) ? " ELSE " + expr(d) : "") + " END";
            case 11 -> "CAST(" + expr(d) + " AS " + any("INT", "TEXT", "REAL", "BLOB", "NUMERIC") + ")";
            case 12 -> "(" + query(d) + ")";
            case 13 -> "EXISTS (" + query(d) + ")";
            default ->
                any(FUNCTIONS) + "(" + (chance(10) ? "*" : chance(10) ? "" : list(d, 3)) + ")"
                        + (chance(10) ? " FILTER (WHERE " + expr(d) + ")" : "")
                        + (chance(15) ? " OVER (PARTITION BY " + expr(d) + " ORDER BY " + expr(d) + ")" : "");
        };
    }

    private String item(int depth) {
        return chance(10) ? any("*", "t.*") : expr(depth) + (chance(40) ? " AS " + any("x", "y", "\"odd one\"") : "");
    }

    private String table(int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 3)) {
            case 0, 1 -> any("t", "s") + (chance(40) ? " AS " + any("u", "v") : "");
            case 2 -> any("none", "nope", "f(1)", "g(a)");
            case 3 -> "(" + query(depth - 1) + ")" + (chance(70) ? " w" : "");
            default ->
                table(depth - 1) + " " + any("JOIN", "LEFT JOIN", "CROSS JOIN", "NATURAL JOIN", "FULL JOIN") + " "
                        + table(0) + (chance(50) ? " ON " + expr(depth - 1) : chance(30) ? " USING (a)" : "");
        };
    }

    private String select(int depth) {
        return "SELECT " + (chance(10) ? "DISTINCT " : "")
                + Stream.generate(() -> item(depth))
                        .limit(1 + random.nextInt(3))
                        .collect(Collectors.joining(", "))
                + (chance(80) ? " FROM " + table(depth) : "")
                + (chance(40) ? " WHERE " + expr(depth) : "")
                + (chance(25) ? " GROUP BY " + list(depth, 2) + (chance(40) ? " HAVING " + expr(depth) : "") : "");
    }

    String query(int depth) {
        return (chance(10) ? "WITH c AS (" + select(depth - 1) + ") " : "")
                + (chance(8) ? "VALUES (" + list(depth - 1, 2) + ")" : select(depth - 1))
                + (chance(12) ? any(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ") + select(depth - 1) : "")
                + (chance(25) ? " ORDER BY " + any("1", "x", expr(depth - 1)) + any("", " DESC", " NULLS LAST") : "")
                + (chance(20) ? " LIMIT " + any("1", "-1", "2, 3", "1 OFFSET 1") : "");
    }

    String statement(int depth) {
        return switch (random.nextInt(14)) {
            case 0 ->
                "CREATE " + any("", "PERFETTO ") + any("TABLE ", "VIEW ") + any("p", "q", "t") + " AS " + query(depth);
            case 1 ->
                "CREATE PERFETTO FUNCTION " + any("f", "g") + "(x INT) RETURNS " + any("INT", "TABLE(a INT)") + " AS "
                        + query(depth);
            case 2 -> "CREATE OR REPLACE PERFETTO MACRO m(x Expr) RETURNS Expr AS " + expr(depth) + any("", " + $x");
            case 3 -> "SELECT m!(" + expr(depth) + ")";
            case 4 ->
                "CREATE VIRTUAL TABLE " + any("p", "j") + " USING " + any("SPAN_JOIN", "SPAN_LEFT_JOIN") + "("
                        + any("s", "t", "p") + any("", " PARTITIONED id") + ", " + any("s", "q") + ")";
            case 5 -> "DROP " + any("TABLE", "VIEW") + any(" ", " IF EXISTS ") + any("p", "q", "j");
            case 6 -> "INCLUDE PERFETTO MODULE " + any("time.conversion", "slices.*", "nope", "*");
            case 7 -> "INSERT INTO p " + query(depth);
            default -> query(depth);
        };
    }
}
