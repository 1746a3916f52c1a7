package dev.unjank.query.resolve;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random statements over two tables, {@link #SETUP}. Tracks visible columns, so that most statements are valid and
 * reach the engine; a few percent of the names are wrong.
 */
public final class RandomSql {
    static final String SETUP = """
            CREATE TABLE t(a INT, b TEXT, r REAL);
            INSERT INTO t VALUES (1, 'x', 1.5), (2, 'y', NULL), (NULL, '12abc', -0.0), (-9223372036854775808, '', 1e300);
            CREATE TABLE s(id INT, ts INT, dur INT, name TEXT);
            INSERT INTO s VALUES (0, 0, 100, 'root'), (1, 20, -1, NULL), (1, 200, 5, 'a%_*[');
            """;

    private static final List<String> LITERALS = List.of(
            "1",
            "0",
            "-7",
            "2.5",
            "1e3",
            "'x'",
            "'it''s'",
            "'12'",
            "'%'",
            "NULL",
            "TRUE",
            "x'41'",
            "0xff",
            "9223372036854775807",
            "-9223372036854775808",
            "\"a text\"");
    private static final List<String> BINARY = List.of(
            "+",
            "-",
            "*",
            "/",
            "%",
            "||",
            "=",
            "==",
            "<>",
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
            "REGEXP");
    private static final List<String> AGGREGATES =
            List.of("count", "sum", "min", "max", "avg", "total", "group_concat", "median", "stddev", "any_value");
    private static final List<String> TYPES = List.of("INT", "TEXT", "REAL", "BLOB", "NUMERIC", "BOOL");

    /** A function and its number of arguments. */
    private record Function(String name, int least, int most) {}

    private static final List<Function> FUNCTIONS = List.of(
            new Function("abs", 1, 1),
            new Function("length", 1, 1),
            new Function("substr", 2, 3),
            new Function("coalesce", 2, 4),
            new Function("ifnull", 2, 2),
            new Function("nullif", 2, 2),
            new Function("iif", 2, 3),
            new Function("min", 2, 3),
            new Function("max", 2, 3),
            new Function("round", 1, 2),
            new Function("typeof", 1, 1),
            new Function("printf", 1, 1),
            new Function("hex", 1, 1),
            new Function("unhex", 1, 1),
            new Function("quote", 1, 1),
            new Function("char", 1, 2),
            new Function("unicode", 1, 1),
            new Function("str_split", 3, 3),
            new Function("replace", 3, 3),
            new Function("instr", 2, 2),
            new Function("trim", 1, 2),
            new Function("lower", 1, 1),
            new Function("log", 1, 2),
            new Function("sqrt", 1, 1),
            new Function("pow", 2, 2),
            new Function("ceil", 1, 1),
            new Function("sign", 1, 1),
            new Function("glob", 2, 2),
            new Function("like", 2, 2),
            new Function("concat_ws", 2, 3),
            new Function("hash", 1, 1),
            new Function("regexp_extract", 2, 2),
            new Function("base64_encode", 1, 1),
            new Function("nope", 1, 1));

    private final Random random;

    /** The visible columns, of the innermost query last. */
    private final Deque<List<String>> scopes = new ArrayDeque<>();

    private int names;

    public RandomSql(Random random) {
        this.random = random;
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private String any(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private String list(int depth, int count) {
        return IntStream.range(0, count).mapToObj(_ -> expr(depth)).collect(Collectors.joining(", "));
    }

    private String column() {
        if (chance(2)) {
            return any("nope", "t.a", "\"b\"", "[r]", "x", "oid");
        }
        List<String> reach = scopes.isEmpty() ? List.of() : chance(85) ? scopes.peek() : any(List.copyOf(scopes));
        return reach.isEmpty() ? any(LITERALS) : any(reach);
    }

    String expr(int depth) {
        if (depth <= 0 || chance(20)) {
            return chance(65) ? column() : any(LITERALS);
        }
        int d = depth - 1;
        return switch (random.nextInt(18)) {
            case 0, 1, 2, 3, 4 -> expr(d) + " " + any(BINARY) + " " + expr(d);
            case 5 -> any("NOT ", "-", "+", "~") + expr(d);
            case 6 -> "(" + expr(d) + ")";
            case 7 -> expr(d) + any(" IS NULL", " NOTNULL", " NOT NULL", " ISNULL", " COLLATE NOCASE");
            case 8 -> expr(d) + any(" ", " NOT ") + "BETWEEN " + expr(d) + " AND " + expr(d);
            case 9 -> expr(d) + any(" ", " NOT ") + "IN (" + list(d, random.nextInt(4)) + ")";
            case 10 -> expr(d) + any(" ", " NOT ") + "IN (" + query(d, 1) + ")";
            case 11 ->
                "CASE " + (chance(30) ? expr(d) : "") + " WHEN " + expr(d) + " THEN " + expr(d)
                        + (chance(50) ? " ELSE " + expr(d) : "") + " END";
            case 12 -> "CAST(" + expr(d) + " AS " + any(TYPES) + ")";
            case 13 -> "(" + query(d, 1) + ")";
            case 14 -> "EXISTS (" + query(d, 1 + random.nextInt(2)) + ")";
            default -> call(d);
        };
    }

    private String call(int depth) {
        Function function = any(FUNCTIONS);
        int count = chance(3) ? random.nextInt(5) : function.least + random.nextInt(function.most - function.least + 1);
        return function.name + "(" + list(depth, count) + ")";
    }

    private String aggregate(int depth) {
        return any(AGGREGATES) + "(" + (chance(10) ? "*" : (chance(10) ? "DISTINCT " : "") + expr(depth)) + ")"
                + (chance(15) ? " FILTER (WHERE " + expr(depth) + ")" : "");
    }

    private String window(int depth) {
        String over = (chance(60) ? "PARTITION BY " + expr(depth) : "")
                + (chance(70)
                        ? " ORDER BY " + expr(depth)
                                + any(
                                        "",
                                        " DESC",
                                        " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING",
                                        " RANGE BETWEEN 5 PRECEDING AND CURRENT ROW",
                                        " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING")
                        : "");
        String call = switch (random.nextInt(5)) {
            case 0 -> any("row_number", "rank", "dense_rank", "percent_rank", "cume_dist") + "()";
            case 1 -> any("lag", "lead") + "(" + list(depth, 1 + random.nextInt(3)) + ")";
            case 2 -> any("first_value", "last_value") + "(" + expr(depth) + ")";
            case 3 -> any("ntile(2)", "nth_value(" + expr(depth) + ", 2)");
            default -> aggregate(depth);
        };
        return call + " OVER (" + over + ")";
    }

    /** A table with a new alias; its columns become visible. */
    private String table(int depth, List<String> reach) {
        String name = "q" + ++names;
        return switch (random.nextInt(depth > 0 ? 4 : 2)) {
            case 0 -> {
                List.of("a", "b", "r").forEach(column -> reach.add(name + "." + column));
                yield "t AS " + name;
            }
            case 1 -> {
                List.of("id", "ts", "dur", "name").forEach(column -> reach.add(name + "." + column));
                yield "s " + name;
            }
            case 2 -> {
                int width = 1 + random.nextInt(3);
                List<String> outer = scopes.isEmpty() ? null : scopes.pop(); // siblings are not visible to it
                String query = query(depth - 1, width);
                if (outer != null) {
                    scopes.push(outer);
                }
                IntStream.range(0, width).forEach(i -> reach.add(name + ".c" + i));
                yield "(" + query + ") AS " + name;
            }
            default -> {
                String left = table(depth - 1, reach);
                String right = table(0, reach);
                String join = any("JOIN", "LEFT JOIN", "FULL JOIN", "RIGHT JOIN", "CROSS JOIN");
                yield left + " " + join + " " + right
                        + (join.equals("CROSS JOIN") ? "" : " ON " + (chance(50) ? any(reach) + " = " : "") + expr(1));
            }
        };
    }

    private String select(int depth, int width) {
        List<String> reach = new ArrayList<>();
        scopes.push(reach);
        try {
            String from = chance(90) ? " FROM " + table(depth, reach) : "";
            String where = chance(40) ? " WHERE " + expr(depth) : "";
            boolean groups = chance(25);
            String group = groups && chance(70) ? " GROUP BY " + list(depth, 1 + random.nextInt(2)) : "";
            String having = !group.isEmpty() && chance(40) ? " HAVING " + aggregate(depth) + " > 0" : "";
            String items = IntStream.range(0, width)
                    .mapToObj(i -> (groups && chance(60)
                                    ? aggregate(depth)
                                    : !groups && chance(12) ? window(depth) : expr(depth))
                            + " AS c" + i)
                    .collect(Collectors.joining(", "));
            return "SELECT " + (chance(10) ? "DISTINCT " : "") + items + from + where + group + having;
        } finally {
            scopes.pop();
        }
    }

    /** A query with columns c0, c1 and so on. */
    public String query(int depth, int width) {
        if (chance(5)) {
            return "SELECT " + list(depth - 1, width);
        }
        String combined =
                chance(12) ? any(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ") + select(depth - 1, width) : "";
        return (chance(8) ? "WITH w" + ++names + " AS (" + select(depth - 1, 2) + ") " : "")
                + select(depth, width)
                + combined
                + (chance(25) ? " ORDER BY " + any("1", "c0") + any("", " DESC", " NULLS LAST") : "")
                + (chance(20) ? " LIMIT " + any("1", "-1", "2, 3", "1 OFFSET 1") : "");
    }

    String statement(int depth) {
        int width = 1 + random.nextInt(3);
        return switch (random.nextInt(20)) {
            case 0, 1 ->
                "CREATE " + any("OR REPLACE PERFETTO ", "PERFETTO ") + any("TABLE ", "VIEW ") + any("p", "q") + " AS "
                        + query(depth, width);
            case 2 ->
                "CREATE OR REPLACE PERFETTO FUNCTION " + any("f", "g") + "(x INT) RETURNS "
                        + any("INT", "TABLE(c0 INT)") + " AS " + query(depth, 1);
            case 3 -> "CREATE OR REPLACE PERFETTO MACRO m(x Expr) RETURNS Expr AS " + expr(depth) + any("", " + $x");
            case 4 -> "SELECT m!(" + expr(depth) + ")";
            case 5 -> "SELECT " + any("f", "g") + "(" + expr(depth) + ") AS y FROM t";
            case 6 -> "SELECT * FROM " + any("f", "g") + "(" + any(LITERALS) + ")";
            case 7 ->
                "CREATE VIRTUAL TABLE " + any("p", "j") + " USING "
                        + any("SPAN_JOIN", "SPAN_LEFT_JOIN", "SPAN_OUTER_JOIN") + "(" + any("s", "p")
                        + any("", " PARTITIONED id") + ", " + any("spans", "q") + ")";
            case 8 ->
                "CREATE OR REPLACE PERFETTO " + any("TABLE", "VIEW") + " spans AS SELECT id + 0 AS id, " + expr(1)
                        + " AS ts, " + any("10", "-1", expr(1)) + " AS dur, " + expr(1) + " AS z FROM s";
            case 9 -> "DROP " + any("TABLE", "VIEW") + any(" ", " IF EXISTS ") + any("p", "q", "j");
            case 10 -> "INCLUDE PERFETTO MODULE " + any("time.conversion", "slices.*", "nope", "*");
            case 11 -> "INSERT INTO " + any("p", "p", "q") + " " + query(depth, width);
            case 12 -> "SELECT * FROM " + any("p", "q", "j", "spans");
            default -> query(depth, width);
        };
    }
}
