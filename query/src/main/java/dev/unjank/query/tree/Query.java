package dev.unjank.query.tree;

import dev.unjank.query.source.Token;
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
public record Query(
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
    public record With(Token name, List<Token> columns, String hint, Query query, boolean namesItself) {}

    /** UNION, UNION ALL, INTERSECT or EXCEPT, and what follows it. */
    public record Combined(String operator, Core core) {}

    /** {@code nulls} is "", "FIRST" or "LAST". */
    public record Order(Expr by, boolean descending, String nulls) {}

    public sealed interface Core {
        Token at();
    }

    public record Values(Token at, List<List<Expr>> rows) implements Core {}

    public record Select(
            Token at,
            boolean distinct,
            List<Item> items,
            @Nullable From from,
            @Nullable Expr where,
            List<Expr> group,
            @Nullable Expr having,
            Map<String, Expr.Window> windows)
            implements Core {}

    public sealed interface Item {}

    /** {@code *}, or {@code table.*}. */
    public record Star(Token at, @Nullable Token table) implements Item {}

    /** A column of the result; {@code written} names it if nothing else does. */
    public record Column(Expr value, @Nullable Token alias, String written) implements Item {}

    public sealed interface From {
        Token at();
    }

    public record Table(Token at, @Nullable Token alias) implements From {}

    /** A function that gives a table. */
    public record TableCall(
            Token at, List<Expr> arguments, @Nullable Token alias) implements From {}

    public record Nested(Token at, Query query, @Nullable Token alias) implements From {}

    /** {@code kind} is "INNER", "CROSS", "LEFT", "RIGHT" or "FULL". */
    public record Join(
            Token at,
            String kind,
            boolean natural,
            From left,
            From right,
            @Nullable Expr on,
            List<Token> using) implements From {}
}
