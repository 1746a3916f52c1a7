package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints a syntax tree as PerfettoSQL, with explicit parentheses. */
final class SyntaxPrinter {
    private SyntaxPrinter() {}

    static String print(Query query) {
        StringBuilder text = new StringBuilder();
        if (!query.with().isEmpty()) {
            text.append(query.recursive() ? "WITH RECURSIVE " : "WITH ");
            text.append(query.with().stream().map(SyntaxPrinter::with).collect(Collectors.joining(", ")))
                    .append(' ');
        }
        text.append(core(query.first()));
        for (Query.Combined combined : query.rest()) {
            text.append(' ').append(combined.operator()).append(' ').append(core(combined.core()));
        }
        text.append(orderBy(query.order()));
        if (query.limit() != null) {
            text.append(" LIMIT ").append(print(query.limit()));
        }
        if (query.offset() != null) {
            text.append(" OFFSET ").append(print(query.offset()));
        }
        return text.toString();
    }

    private static String with(Query.With with) {
        String columns = with.columns().isEmpty() ? "" : " (" + names(with.columns()) + ")";
        return name(with.name()) + columns + " AS " + with.hint() + (with.hint().isEmpty() ? "(" : " (")
                + print(with.query()) + ")";
    }

    private static String core(Query.Core core) {
        return switch (core) {
            case Query.Values values ->
                "VALUES "
                        + values.rows().stream()
                                .map(row -> "(" + list(row) + ")")
                                .collect(Collectors.joining(", "));
            case Query.Select select -> select(select);
        };
    }

    private static String select(Query.Select select) {
        StringBuilder text = new StringBuilder(select.distinct() ? "SELECT DISTINCT " : "SELECT ");
        text.append(select.items().stream().map(SyntaxPrinter::item).collect(Collectors.joining(", ")));
        if (select.from() != null) {
            text.append(" FROM ").append(from(select.from()));
        }
        if (select.where() != null) {
            text.append(" WHERE ").append(print(select.where()));
        }
        if (!select.group().isEmpty()) {
            text.append(" GROUP BY ").append(list(select.group()));
        }
        if (select.having() != null) {
            text.append(" HAVING ").append(print(select.having()));
        }
        if (!select.windows().isEmpty()) {
            text.append(" WINDOW ")
                    .append(select.windows().entrySet().stream()
                            .map(entry -> quoted(entry.getKey()) + " AS " + window(entry.getValue()))
                            .collect(Collectors.joining(", ")));
        }
        return text.toString();
    }

    private static String item(Query.Item item) {
        return switch (item) {
            case Query.Star star -> star.table() == null ? "*" : name(star.table()) + ".*";
            case Query.Column column -> print(column.value()) + alias(column.alias());
        };
    }

    private static String from(Query.From from) {
        return switch (from) {
            case Query.Table table -> name(table.at()) + alias(table.alias());
            case Query.TableCall call -> name(call.at()) + "(" + list(call.arguments()) + ")" + alias(call.alias());
            case Query.Nested nested -> "(" + print(nested.query()) + ")" + alias(nested.alias());
            case Query.Join join -> {
                String right = from(join.right());
                yield from(join.left())
                        + (join.natural() ? " NATURAL " : " ")
                        + join.kind()
                        + " JOIN "
                        + (join.right() instanceof Query.Join ? "(" + right + ")" : right)
                        + (join.on() == null ? "" : " ON " + print(join.on()))
                        + (join.using().isEmpty() ? "" : " USING (" + names(join.using()) + ")");
            }
        };
    }

    static String print(Expr expr) {
        return switch (expr) {
            case Expr.Literal literal -> literal(literal.at());
            case Expr.Parameter parameter -> "$" + parameter.at().text();
            case Expr.Name name -> (name.table() == null ? "" : name(name.table()) + ".") + name(name.at());
            case Expr.Unary unary ->
                switch (unary.operator()) {
                    case "IS NULL" -> "(" + print(unary.operand()) + " ISNULL)";
                    case "NOT NULL" -> "(" + print(unary.operand()) + " NOTNULL)";
                    default -> "(" + unary.operator() + " " + print(unary.operand()) + ")";
                };
            case Expr.Binary binary ->
                "(" + print(binary.left()) + " " + binary.operator() + " " + print(binary.right()) + ")";
            case Expr.Match match ->
                "("
                        + print(match.left())
                        + not(match.not())
                        + match.operator()
                        + " "
                        + print(match.pattern())
                        + (match.escape() == null ? "" : " ESCAPE " + print(match.escape()))
                        + ")";
            case Expr.Between between ->
                "("
                        + print(between.operand())
                        + not(between.not())
                        + "BETWEEN "
                        + print(between.low())
                        + " AND "
                        + print(between.high())
                        + ")";
            case Expr.InList in -> "(" + print(in.operand()) + not(in.not()) + "IN (" + list(in.items()) + "))";
            case Expr.InQuery in -> "(" + print(in.operand()) + not(in.not()) + "IN (" + print(in.query()) + "))";
            case Expr.Case choice ->
                "CASE "
                        + (choice.operand() == null ? "" : print(choice.operand()) + " ")
                        + choice.whens().stream()
                                .map(when -> "WHEN " + print(when.condition()) + " THEN " + print(when.result()) + " ")
                                .collect(Collectors.joining())
                        + (choice.otherwise() == null ? "" : "ELSE " + print(choice.otherwise()) + " ")
                        + "END";
            case Expr.Cast cast -> "CAST(" + print(cast.operand()) + " AS " + cast.type() + ")";
            case Expr.Collate collate -> "(" + print(collate.operand()) + " COLLATE " + collate.collation() + ")";
            case Expr.Call call -> call(call);
            case Expr.Subquery subquery -> "(" + print(subquery.query()) + ")";
            case Expr.Exists exists -> "EXISTS (" + print(exists.query()) + ")";
            case Expr.Row row -> "(" + list(row.items()) + ")";
        };
    }

    private static String call(Expr.Call call) {
        String window = "";
        if (call.window() != null) {
            Token base = call.window().base();
            boolean nameOnly = base != null && window(call.window()).equals("(" + name(base) + ")");
            window = " OVER " + (nameOnly && base != null ? name(base) : window(call.window()));
        }
        return call.at().text()
                + "("
                + (call.star() ? "*" : "")
                + (call.distinct() ? "DISTINCT " : "")
                + list(call.arguments())
                + orderBy(call.order())
                + ")"
                + (call.filter() == null ? "" : " FILTER (WHERE " + print(call.filter()) + ")")
                + window;
    }

    private static String window(Expr.Window window) {
        StringBuilder text = new StringBuilder();
        if (window.base() != null) {
            text.append(name(window.base()));
        }
        if (!window.partition().isEmpty()) {
            text.append(" PARTITION BY ").append(list(window.partition()));
        }
        text.append(orderBy(window.order()));
        if (!window.frame().isEmpty()) {
            text.append(' ').append(window.frame());
        }
        return "(" + text.toString().strip() + ")";
    }

    private static String orderBy(List<Query.Order> orders) {
        return orders.isEmpty()
                ? ""
                : " ORDER BY "
                        + orders.stream()
                                .map(order -> print(order.by())
                                        + (order.descending() ? " DESC" : "")
                                        + (order.nulls().isEmpty() ? "" : " NULLS " + order.nulls()))
                                .collect(Collectors.joining(", "));
    }

    private static String not(boolean not) {
        return not ? " NOT " : " ";
    }

    private static String list(List<Expr> expressions) {
        return expressions.stream().map(SyntaxPrinter::print).collect(Collectors.joining(", "));
    }

    private static String names(List<Token> names) {
        return names.stream().map(SyntaxPrinter::name).collect(Collectors.joining(", "));
    }

    private static String alias(@Nullable Token alias) {
        return alias == null ? "" : " AS " + name(alias);
    }

    private static String name(Token name) {
        return switch (name.kind()) {
            case QUOTED_WORD -> "`" + name.text().replace("`", "``") + "`";
            case DOUBLE_QUOTED -> quoted(name.text());
            case STRING -> "'" + name.text().replace("'", "''") + "'";
            default -> name.text();
        };
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private static String literal(Token token) {
        return switch (token.kind()) {
            case STRING -> "'" + token.text().replace("'", "''") + "'";
            case BLOB -> "x'" + token.text() + "'";
            default -> token.text();
        };
    }
}
