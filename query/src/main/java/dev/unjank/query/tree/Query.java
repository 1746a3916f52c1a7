package dev.unjank.query.tree;

import dev.unjank.query.source.Token;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query, as parsed.
 *
 * @param at its first token
 * @param recursive whether WITH says RECURSIVE
 * @param with the common table expressions
 * @param first the first SELECT or VALUES
 * @param rest the queries combined with it, from left to right
 * @param order the ORDER BY terms of the whole query
 * @param limit the maximum number of rows; null for all
 * @param offset the number of rows to skip; null for none
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
     * A common table expression. The hint is "", "MATERIALIZED" or "NOT MATERIALIZED"; {@code namesItself} is set if
     * its query contains its name, so that it may be recursive.
     */
    public record With(Token name, List<Token> columns, String hint, Query query, boolean namesItself) {}

    /** UNION, UNION ALL, INTERSECT or EXCEPT, and its right operand. */
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

    /** A column of the result; {@code sourceText} is its name without an alias. */
    public record Column(Expr value, @Nullable Token alias, String sourceText) implements Item {}

    public sealed interface From {
        Token at();
    }

    public record Table(Token at, @Nullable Token alias) implements From {}

    /** A call of a table function. */
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
