package dev.unjank.query.parse;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Macros on intervals. {@code _interval_intersect} is built in because its arguments are lists of tables and columns,
 * which a macro written in SQL cannot split.
 */
final class IntervalMacros {
    static final Map<String, Macro> ALL = Map.of(
            "_interval_intersect", (Macro.BuiltIn) IntervalMacros::intersect,
            "_interval_intersect_single", (Macro.BuiltIn) IntervalMacros::intersectSingle,
            "_interval_intersect_with_col_names", (Macro.BuiltIn) IntervalMacros::intersectColumns);

    private IntervalMacros() {}

    /**
     * {@code _interval_intersect!((a, b, …), (columns))}: one interval from each table, intersected, for all
     * overlapping combinations with equal values in the given columns. Returns ts, dur, id_0, id_1, …, the columns and
     * group_id.
     */
    private static String intersect(Token call, List<List<Token>> arguments) {
        check(call, arguments, 2);
        List<String> tables = list(call, arguments.get(0));
        List<String> columns = list(call, arguments.get(1));
        return intersect(call, tables, columns);
    }

    private static String intersect(Token call, List<String> tables, List<String> columns) {
        if (tables.size() < 2) {
            throw PerfettoSqlException.at(call, "expected at least two tables in parentheses for " + call.text());
        }
        int n = tables.size();
        String start = all(n, "i%d.ts");
        String end = all(n, "i%d.ts + i%d.dur");
        StringBuilder sql =
                new StringBuilder("(SELECT max(" + start + ") AS ts, min(" + end + ") - max(" + start + ") AS dur");
        for (int i = 0; i < n; i++) {
            sql.append(", i").append(i).append(".id AS id_").append(i);
        }
        columns.forEach(
                column -> sql.append(", i0.").append(column).append(" AS ").append(column));
        sql.append(", row_number() OVER () - 1 AS group_id FROM ")
                .append(tables.getFirst())
                .append(" AS i0");
        for (int i = 1; i < n; i++) {
            int self = i;
            String overlap = IntStream.range(0, i)
                    .mapToObj(other -> overlaps("i" + other, "i" + self))
                    .collect(Collectors.joining(" AND "));
            sql.append(" JOIN ")
                    .append(tables.get(i))
                    .append(" AS i")
                    .append(i)
                    .append(" ON ")
                    .append(overlap);
            columns.forEach(column -> sql.append(" AND i0." + column + " = i" + self + "." + column));
        }
        return sql.append(")").toString();
    }

    /**
     * {@code _interval_intersect_single!(ts, dur, table)}: the intersections of a table's intervals with one interval.
     * Returns id, ts and dur.
     */
    private static String intersectSingle(Token call, List<List<Token>> arguments) {
        check(call, arguments, 3);
        String ts = "(" + text(arguments.get(0)) + ")";
        String end = "(" + ts + " + (" + text(arguments.get(1)) + "))";
        return "(SELECT i.id AS id, max(i.ts, " + ts + ") AS ts, min(i.ts + i.dur, " + end + ") - max(i.ts, " + ts
                + ") AS dur FROM " + text(arguments.get(2)) + " AS i WHERE i.ts < " + end + " AND i.ts + i.dur > " + ts
                + ")";
    }

    /**
     * {@code _interval_intersect_with_col_names!(a, id, ts, dur, b, id, ts, dur, (columns))}: as {@code
     * _interval_intersect} for two tables with other names of their columns.
     */
    private static String intersectColumns(Token call, List<List<Token>> arguments) {
        check(call, arguments, 9);
        List<String> columns = list(call, arguments.get(8));
        return intersect(
                call,
                List.of(renamed(arguments.subList(0, 4), columns), renamed(arguments.subList(4, 8), columns)),
                columns);
    }

    private static String renamed(List<List<Token>> table, List<String> columns) {
        return "(SELECT " + text(table.get(1)) + " AS id, " + text(table.get(2)) + " AS ts, " + text(table.get(3))
                + " AS dur"
                + columns.stream().map(column -> ", " + column).collect(Collectors.joining())
                + " FROM " + text(table.get(0)) + ")";
    }

    /** Whether two intervals overlap; an empty interval overlaps one with the same start. */
    private static String overlaps(String a, String b) {
        return "(" + a + ".ts < " + b + ".ts + " + b + ".dur AND " + b + ".ts < " + a + ".ts + " + a + ".dur OR " + a
                + ".ts = " + b + ".ts)";
    }

    private static String all(int n, String template) {
        return IntStream.range(0, n)
                .mapToObj(i -> template.replace("%d", Integer.toString(i)))
                .collect(Collectors.joining(", "));
    }

    static void check(Token call, List<List<Token>> arguments, int expected) {
        if (arguments.size() != expected || arguments.stream().anyMatch(List::isEmpty)) {
            throw PerfettoSqlException.at(
                    call, "macro " + call.text() + " takes " + expected + " arguments, found " + arguments.size());
        }
    }

    /** The elements of a list in parentheses. */
    static List<String> list(Token call, List<Token> argument) {
        if (!argument.getFirst().isSymbol("(") || !argument.getLast().isSymbol(")")) {
            throw PerfettoSqlException.at(call, "expected a list in parentheses as an argument of " + call.text());
        }
        List<String> parts = new ArrayList<>();
        List<Token> part = new ArrayList<>();
        int depth = 0;
        for (Token token : argument.subList(1, argument.size() - 1)) {
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            if (depth == 0 && token.isSymbol(",")) {
                parts.add(text(part));
                part.clear();
            } else {
                part.add(token);
            }
        }
        if (!part.isEmpty()) {
            parts.add(text(part));
        }
        return parts;
    }

    static String text(List<Token> tokens) {
        return tokens.stream().map(Token::sourceText).collect(Collectors.joining(" "));
    }
}
