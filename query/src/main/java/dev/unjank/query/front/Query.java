package dev.unjank.query.front;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT with all that may stand around it.
 *
 * @param at its first token
 * @param recursive whether WITH says RECURSIVE
 * @param with the common table expressions
 * @param first the first SELECT or VALUES
 * @param rest what is combined with it, from left to right
 * @param order by what the whole is sorted
 * @param limit how many rows at most
 * @param offset how many rows to skip
 */
record Query(
        Token at,
        boolean recursive,
        List<With> with,
        Core first,
        List<Combined> rest,
        List<Order> order,
        @Nullable Expr limit,
        @Nullable Expr offset) {

    /**
     * {@code name (columns) AS (query)}; the hint is "", "MATERIALIZED" or "NOT MATERIALIZED". Only if its own name is written
     * within it may it be recursive.
     */
    record With(Token name, List<Token> columns, String hint, Query query, boolean namesItself) {}

    /** UNION, UNION ALL, INTERSECT or EXCEPT, and what follows it. */
    record Combined(String operator, Core core) {}

    /** {@code nulls} is "", "FIRST" or "LAST". */
    record Order(Expr by, boolean descending, String nulls) {}

    sealed interface Core {
        Token at();
    }

    record Values(Token at, List<List<Expr>> rows) implements Core {}

    record Select(
            Token at,
            boolean distinct,
            List<Item> items,
            @Nullable From from,
            @Nullable Expr where,
            List<Expr> group,
            @Nullable Expr having,
            Map<String, Expr.Window> windows)
            implements Core {}

    sealed interface Item {}

    /** {@code *}, or {@code table.*}. */
    record Star(Token at, @Nullable Token table) implements Item {}

    /** A column of the result; {@code written} names it if nothing else does. */
    record Column(Expr value, @Nullable Token alias, String written) implements Item {}

    sealed interface From {
        Token at();
    }

    record Table(Token at, @Nullable Token alias) implements From {}

    /** A function that gives a table. */
    record TableCall(
            Token at, List<Expr> arguments, @Nullable Token alias) implements From {}

    record Nested(Token at, Query query, @Nullable Token alias) implements From {}

    /** {@code kind} is "INNER", "CROSS", "LEFT", "RIGHT" or "FULL". */
    record Join(
            Token at,
            String kind,
            boolean natural,
            From left,
            From right,
            @Nullable Expr on,
            List<Token> using) implements From {}
}
