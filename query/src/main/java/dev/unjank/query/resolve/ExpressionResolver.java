package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.source.NameSuggestion;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Translates expressions. This class handles names, literals and expressions of grouped queries; {@link
 * OperatorResolver} and {@link CallResolver} handle the others.
 */
final class ExpressionResolver {
    private final StatementContext context;
    private final QueryResolver queries;
    private final OperatorResolver operators;
    private final CallResolver calls;

    ExpressionResolver(QueryResolver queries) {
        this.context = queries.context();
        this.queries = queries;
        this.operators = new OperatorResolver(this, queries);
        this.calls = new CallResolver(this, queries);
    }

    TypedExpr translate(Expr expr, Scope scope) {
        context.enter(expr.at());
        try {
            TypedExpr code = grouped(expr, scope);
            context.checkSize(expr.at(), code.sql());
            return code;
        } finally {
            context.leave();
        }
    }

    private TypedExpr grouped(Expr expr, Scope scope) {
        Grouping grouping = scope.grouping;
        if (grouping == null || grouping.suspended || expr instanceof Expr.Literal || aggregates(expr, scope)) {
            return plain(expr, scope);
        }
        if (AggregateFunctions.containsWindow(expr)) {
            return plain(expr, scope);
        }
        TypedExpr row = suspended(grouping, expr, scope);
        return grouping.isKey(row) || !AggregateFunctions.dependsOnRow(expr) ? row : grouping.fromOneRow(row);
    }

    /** Whether an expression, or the definition of an alias in it, contains an aggregate. */
    private static boolean aggregates(Expr expr, Scope scope) {
        if (expr instanceof Expr.Name name && name.table() == null && scope.unqualified(name.at()) == null) {
            return AggregateFunctions.containsAggregate(
                    scope.aliases.get(Scope.lower(name.at().text())));
        }
        return AggregateFunctions.containsAggregate(expr)
                || AggregateFunctions.children(expr).anyMatch(child -> aggregates(child, scope));
    }

    /** Translates an expression per row instead of per group. */
    private TypedExpr suspended(Grouping grouping, Expr expr, Scope scope) {
        boolean before = grouping.suspended;
        grouping.suspended = true;
        try {
            return plain(expr, scope);
        } finally {
            grouping.suspended = before;
        }
    }

    List<TypedExpr> translate(List<Expr> list, Scope scope) {
        List<TypedExpr> codes = new ArrayList<>();
        list.forEach(expr -> codes.add(translate(expr, scope)));
        return codes;
    }

    private TypedExpr plain(Expr expr, Scope scope) {
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
                TypedExpr.truth(Sql.exists(queries.query(exists.query(), scope).query()));
            case Expr.Row row ->
                throw PerfettoSqlException.at(
                        row.at(), "expected one value, found " + row.items().size());
        };
    }

    /** The value of a scalar subquery. */
    static TypedExpr scalar(Token at, TypedQuery rows) {
        if (rows.columns().size() != 1) {
            throw PerfettoSqlException.at(
                    at,
                    "expected a query of one column, found " + rows.columns().size() + " columns");
        }
        return new TypedExpr(Sql.scalar(rows.query()), rows.columns().getFirst().type(), rows.affinity());
    }

    private static TypedExpr literal(Token token) {
        return switch (token.kind()) {
            case STRING -> TypedExpr.of(Sql.text(token.text()), SqlType.TEXT);
            case BLOB -> TypedExpr.of(Sql.call("unhex", Sql.text(token.text())), SqlType.BLOB);
            case REAL -> real(token.text());
            case INTEGER -> integer(token);
            default ->
                switch (token.keyword()) {
                    case "TRUE", "FALSE" -> TypedExpr.truth(Sql.truth(token.isWord("TRUE")));
                    default -> TypedExpr.NULL;
                };
        };
    }

    private static TypedExpr integer(Token token) {
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

    private static TypedExpr number(long value) {
        return TypedExpr.of(Sql.integer(value), SqlType.INT);
    }

    private static TypedExpr real(String text) {
        return TypedExpr.of(Sql.real(Double.parseDouble(text)), SqlType.REAL);
    }

    private static TypedExpr parameter(Token token, Scope scope) {
        TypedExpr code = scope.parameter(token.text());
        if (code == null) {
            throw PerfettoSqlException.at(token, "no such parameter: $" + token.text());
        }
        return code;
    }

    private TypedExpr name(Expr.Name name, Scope scope) {
        Token token = name.at();
        TypedExpr code = name.table() == null ? unqualified(token, scope) : qualified(name.table(), token, scope);
        if (code == null) {
            if (token.kind() == Token.Kind.DOUBLE_QUOTED && name.table() == null) {
                return TypedExpr.of(Sql.text(token.text()), SqlType.TEXT);
            }
            throw PerfettoSqlException.at(
                    token,
                    "no such column: " + token.text()
                            + NameResolver.suggestionOrReason(
                                    Scope.lower(token.text()), NameSuggestion.of(token.text(), scope.columnNames())));
        }
        return code.at(context.position(token));
    }

    private @Nullable TypedExpr unqualified(Token token, Scope from) {
        for (Scope scope = from; scope != null; scope = scope.outer) {
            TypedExpr code = scope.unqualified(token);
            if (code != null) {
                return code;
            }
            String key = Scope.lower(token.text());
            Expr aliased = scope.aliases.get(key);
            if (aliased != null && scope.aliasesInProgress.add(key)) {
                try {
                    return translate(aliased, scope);
                } finally {
                    scope.aliasesInProgress.remove(key);
                }
            }
        }
        return null;
    }

    private static TypedExpr qualified(Token table, Token column, Scope from) {
        for (Scope scope = from; scope != null; scope = scope.outer) {
            Scope.Source source = scope.source(table.text());
            if (source != null) {
                Scope.Field field = source.field(column.text());
                if (field != null) {
                    return field.expr();
                }
                throw PerfettoSqlException.at(
                        column,
                        "no such column: " + table.text() + "." + column.text()
                                + NameSuggestion.of(
                                        column.text(),
                                        source.fields().stream()
                                                .map(Scope.Field::name)
                                                .toList()));
            }
        }
        throw PerfettoSqlException.at(table, "no such table in this query: " + table.text() + tablesOf(from));
    }

    /** Table names expected before a dot. */
    private static String tablesOf(Scope scope) {
        String names = scope.sources.stream().map(Scope.Source::name).collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : ", expected " + (names.contains(", ") ? "one of " : "") + names;
    }
}
