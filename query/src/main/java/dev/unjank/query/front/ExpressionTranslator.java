package dev.unjank.query.front;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Expressions into the engine's SQL, with SQLite's meaning. Here are names, literals and what a group makes of an expression;
 * {@link OperatorTranslator} and {@link CallTranslator} have the rest.
 */
final class ExpressionTranslator {
    private final Translation translation;
    private final QueryTranslator queries;
    private final OperatorTranslator operators;
    private final CallTranslator calls;

    ExpressionTranslator(QueryTranslator queries) {
        this.translation = queries.translation();
        this.queries = queries;
        this.operators = new OperatorTranslator(this, queries);
        this.calls = new CallTranslator(this, queries);
    }

    Code translate(Expr expr, Scope scope) {
        translation.enter(expr.at());
        try {
            Code code = grouped(expr, scope);
            translation.bounded(expr.at(), code.sql());
            return code;
        } finally {
            translation.leave();
        }
    }

    private Code grouped(Expr expr, Scope scope) {
        Grouping grouping = scope.grouping;
        if (grouping == null || grouping.suspended || expr instanceof Expr.Literal || aggregates(expr, scope)) {
            return plain(expr, scope);
        }
        if (Aggregates.hasWindow(expr)) {
            return plain(expr, scope);
        }
        Code row = suspended(grouping, expr, scope);
        return grouping.isKey(row) || !Aggregates.namesColumns(expr) ? row : grouping.ofOneRow(row);
    }

    /** Whether an aggregate is in an expression, or in what an alias in it stands for. */
    private static boolean aggregates(Expr expr, Scope scope) {
        if (expr instanceof Expr.Name name && name.table() == null && scope.unqualified(name.at()) == null) {
            return Aggregates.in(scope.aliases.get(Scope.lower(name.at().text())));
        }
        return Aggregates.in(expr) || Aggregates.children(expr).anyMatch(child -> aggregates(child, scope));
    }

    /** An expression for each row, not for the group. */
    private Code suspended(Grouping grouping, Expr expr, Scope scope) {
        boolean before = grouping.suspended;
        grouping.suspended = true;
        try {
            return plain(expr, scope);
        } finally {
            grouping.suspended = before;
        }
    }

    List<Code> translate(List<Expr> list, Scope scope) {
        List<Code> codes = new ArrayList<>();
        list.forEach(expr -> codes.add(translate(expr, scope)));
        return codes;
    }

    private Code plain(Expr expr, Scope scope) {
        return switch (expr) {
            case Expr.Literal literal -> literal(literal.at());
            case Expr.Parameter parameter -> parameter(parameter.at(), scope);
            case Expr.Name name -> name(name, scope);
            case Expr.Unary unary -> operators.unary(unary, scope);
            case Expr.Binary binary -> operators.binary(binary, scope);
            case Expr.Match match -> operators.match(match, scope);
            case Expr.Between between -> operators.between(between, scope);
            case Expr.InList in -> operators.in(in, scope);
            case Expr.InQuery in -> operators.in(in, scope);
            case Expr.Case choice -> operators.choice(choice, scope);
            case Expr.Cast cast -> operators.cast(cast, scope);
            case Expr.Collate collate -> operators.collate(collate, scope);
            case Expr.Call call -> calls.call(call, scope);
            case Expr.Subquery subquery -> scalar(subquery.at(), queries.query(subquery.query(), scope));
            case Expr.Exists exists ->
                Code.truth("EXISTS (" + queries.query(exists.query(), scope).sql() + ")");
            case Expr.Row row ->
                throw PerfettoSqlException.at(
                        row.at(), "expected one value, found " + row.items().size());
        };
    }

    /** What a query gives for its only row. */
    static Code scalar(Token at, QueryCode rows) {
        if (rows.columns().size() != 1) {
            throw PerfettoSqlException.at(
                    at,
                    "expected a query of one column, found " + rows.columns().size() + " columns");
        }
        return new Code("(" + rows.sql() + ")", rows.columns().getFirst().type(), rows.affinity());
    }

    private static Code literal(Token token) {
        return switch (token.kind()) {
            case STRING -> Code.of(Names.string(token.text()), SqlType.TEXT);
            case BLOB -> Code.of("unhex('" + token.text() + "')", SqlType.BLOB);
            case REAL -> real(token.text());
            case INTEGER -> integer(token);
            default ->
                switch (token.keyword()) {
                    case "TRUE", "FALSE" -> Code.truth(token.keyword());
                    default -> Code.NULL;
                };
        };
    }

    private static Code integer(Token token) {
        String text = token.text();
        if (text.startsWith("0x") || text.startsWith("0X")) {
            return number(Long.parseUnsignedLong(text, 2, text.length(), 16));
        }
        try {
            return number(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return real(text);
        }
    }

    private static Code number(long value) {
        return Code.of("CAST(" + value + " AS BIGINT)", SqlType.INT);
    }

    private static Code real(String text) {
        double value = Double.parseDouble(text);
        return Code.of(
                Double.isInfinite(value) ? "CAST('Infinity' AS DOUBLE)" : "CAST('" + value + "' AS DOUBLE)",
                SqlType.REAL);
    }

    private static Code parameter(Token token, Scope scope) {
        Code code = scope.parameter(token.text());
        if (code == null) {
            throw PerfettoSqlException.at(token, "no such parameter: $" + token.text());
        }
        return code;
    }

    private Code name(Expr.Name name, Scope scope) {
        Token token = name.at();
        Code code = name.table() == null ? unqualified(token, scope) : qualified(name.table(), token, scope);
        if (code == null) {
            if (token.kind() == Token.Kind.DOUBLE_QUOTED && name.table() == null) {
                return Code.of(Names.string(token.text()), SqlType.TEXT);
            }
            throw PerfettoSqlException.at(
                    token,
                    "no such column: " + token.text()
                            + Definitions.absentOr(
                                    Scope.lower(token.text()), Suggestion.of(token.text(), scope.columnNames())));
        }
        return new Code(translation.mark(token) + code.sql(), code.type(), code.affinity());
    }

    private @Nullable Code unqualified(Token token, Scope from) {
        for (Scope scope = from; scope != null; scope = scope.outer) {
            Code code = scope.unqualified(token);
            if (code != null) {
                return code;
            }
            String key = Scope.lower(token.text());
            Expr aliased = scope.aliases.get(key);
            if (aliased != null && scope.following.add(key)) {
                try {
                    return translate(aliased, scope);
                } finally {
                    scope.following.remove(key);
                }
            }
        }
        return null;
    }

    private static Code qualified(Token table, Token column, Scope from) {
        for (Scope scope = from; scope != null; scope = scope.outer) {
            Scope.Source source = scope.source(table.text());
            if (source != null) {
                Scope.Field field = source.field(column.text());
                if (field != null) {
                    return field.code();
                }
                throw PerfettoSqlException.at(
                        column,
                        "no such column: " + table.text() + "." + column.text()
                                + Suggestion.of(
                                        column.text(),
                                        source.fields().stream()
                                                .map(Scope.Field::name)
                                                .toList()));
            }
        }
        throw PerfettoSqlException.at(table, "no such table in this query: " + table.text() + tablesOf(from));
    }

    /** What could have stood before a dot. */
    private static String tablesOf(Scope scope) {
        String names = scope.sources.stream().map(Scope.Source::name).collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : ", expected " + (names.contains(", ") ? "one of " : "") + names;
    }
}
