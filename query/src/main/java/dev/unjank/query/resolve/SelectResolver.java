package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Translates a single SELECT: its columns, groups and order. */
final class SelectResolver {
    /** A constant where DuckDB would take a literal for a column's number. */
    private static final Sql ANY_CONSTANT = Sql.scalar(
            new SqlQuery.Select(false, List.of(new SqlQuery.Item(Sql.bare(1), "1")), null, null, List.of(), null));

    private final FromResolver from;
    private final ExpressionResolver expressions;

    SelectResolver(QueryResolver queries, ExpressionResolver expressions) {
        this.from = new FromResolver(queries, expressions);
        this.expressions = expressions;
    }

    /** A result column. */
    private record SelectItem(
            String name, TypedExpr code, @Nullable Expr expr, boolean aliased) {}

    /** A SELECT and its ORDER BY terms. */
    record Selected(TypedQuery rows, List<SqlQuery.Order> order) {}

    Selected select(Query query, Query.Select select, Scope outer, List<Token> outNames, boolean distinctNames) {
        Scope scope = new Scope(outer);
        scope.windows.putAll(select.windows());
        SqlQuery.Source source = select.from() == null ? null : from.translate(select.from(), scope);
        for (Query.Item item : select.items()) {
            if (item instanceof Query.Column column && column.alias() != null) {
                scope.aliases.putIfAbsent(Scope.lower(column.alias().text()), column.value());
            }
        }
        Sql where = condition(select.where(), scope);
        List<Sql> group = group(query, select, scope);
        List<SelectItem> outputs = outputs(select, scope);
        if (!outNames.isEmpty() && outNames.size() != outputs.size()) {
            throw PerfettoSqlException.at(
                    outNames.getFirst(), "expected " + outputs.size() + " names of columns, found " + outNames.size());
        }
        Sql having = condition(select.having(), scope);
        List<SqlQuery.Order> order = orderBy(query.order(), outputs, scope);
        List<TypedColumn> columns = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            String name = i < outNames.size()
                    ? outNames.get(i).text()
                    : outputs.get(i).name();
            columns.add(new TypedColumn(name, outputs.get(i).code().type()));
        }
        List<TypedColumn> named = distinctNames ? distinct(columns) : columns;
        List<SqlQuery.Item> items = IntStream.range(0, outputs.size())
                .mapToObj(i -> new SqlQuery.Item(
                        outputs.get(i).code().sql(), named.get(i).name()))
                .toList();
        boolean affinity = outputs.size() == 1 && outputs.getFirst().code().affinity();
        SqlQuery rows = new SqlQuery.Select(select.distinct(), items, source, where, group, having);
        return new Selected(new TypedQuery(rows, named, affinity), order);
    }

    private @Nullable Sql condition(@Nullable Expr expr, Scope scope) {
        return expr == null ? null : expressions.translate(expr, scope).asCondition();
    }

    /** Makes column names unique like SQLite: the second "x" becomes "x:1". */
    static List<TypedColumn> distinct(List<TypedColumn> columns) {
        Set<String> taken = new HashSet<>();
        List<TypedColumn> distinct = new ArrayList<>();
        for (TypedColumn column : columns) {
            String base = column.name();
            String name = base;
            for (int i = 1; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
                name = base + ":" + i;
            }
            distinct.add(new TypedColumn(name, column.type()));
        }
        return distinct;
    }

    /** The keys of GROUP BY; empty without groups, or for one group. */
    private List<Sql> group(Query query, Query.Select select, Scope scope) {
        List<Expr> items = select.items().stream()
                .filter(Query.Column.class::isInstance)
                .map(item -> ((Query.Column) item).value())
                .toList();
        boolean aggregates = items.stream().anyMatch(AggregateFunctions::containsAggregate)
                || AggregateFunctions.containsAggregate(select.having())
                || query.order().stream().anyMatch(order -> AggregateFunctions.containsAggregate(order.by()));
        if (select.group().isEmpty() && !aggregates) {
            if (select.having() != null) {
                throw PerfettoSqlException.at(select.having().at(), "expected GROUP BY or an aggregate before HAVING");
            }
            return List.of();
        }
        List<TypedExpr> keys = new ArrayList<>();
        for (Expr by : select.group()) {
            keys.add(expressions.translate(key(by, select), scope).asResult());
        }
        List<Expr.Call> minMaxCalls =
                items.stream().flatMap(AggregateFunctions::minMaxCalls).toList();
        Grouping grouping;
        if (minMaxCalls.size() == 1) {
            Expr.Call minMaxCall = minMaxCalls.getFirst();
            Sql argument = expressions
                    .translate(minMaxCall.arguments().getFirst(), scope)
                    .asResult()
                    .sql();
            grouping = new Grouping(argument, minMaxCall.name().equals("max"));
        } else {
            grouping = new Grouping(null, false);
        }
        keys.forEach(grouping::addKey);
        scope.grouping = grouping;
        List<Sql> varying = keys.stream()
                .map(TypedExpr::sql)
                .filter(key -> !key.isConstant())
                .toList();
        return varying.isEmpty() && !keys.isEmpty() ? List.of(ANY_CONSTANT) : varying;
    }

    /** The expression of a GROUP BY term: an integer is a column number. */
    private static Expr key(Expr by, Query.Select select) {
        if (by instanceof Expr.Literal literal && literal.at().kind() == Token.Kind.INTEGER) {
            Query.Item item = select.items()
                    .get(QueryResolver.ordinal(literal.at(), select.items().size()) - 1);
            if (item instanceof Query.Column column) {
                return column.value();
            }
            throw PerfettoSqlException.at(by.at(), "expected the number of an explicit column");
        }
        return by;
    }

    private List<SelectItem> outputs(Query.Select select, Scope scope) {
        List<SelectItem> outputs = new ArrayList<>();
        for (Query.Item item : select.items()) {
            switch (item) {
                case Query.Star star -> star(star, scope, outputs);
                case Query.Column column -> outputs.add(output(column, scope));
            }
        }
        return outputs;
    }

    private SelectItem output(Query.Column column, Scope scope) {
        TypedExpr code = expressions.translate(column.value(), scope).asResult();
        Token alias = column.alias();
        String name = alias != null ? alias.text() : column.sourceText();
        if (alias == null && column.value() instanceof Expr.Name plain) {
            name = declaredName(plain, scope);
        }
        return new SelectItem(name, code, column.value(), alias != null);
    }

    /** A column keeps its declared name, regardless of its spelling in the query. */
    private static String declaredName(Expr.Name name, Scope from) {
        for (Scope scope = from; scope != null; scope = scope.outer) {
            for (Scope.Source source : scope.sources) {
                Token table = name.table();
                Scope.Field field = table == null || source.name().equalsIgnoreCase(table.text())
                        ? source.field(name.at().text())
                        : null;
                if (field != null) {
                    return field.name();
                }
            }
        }
        return name.at().text();
    }

    private void star(Query.Star star, Scope scope, List<SelectItem> outputs) {
        int before = outputs.size();
        boolean found = false;
        for (Scope.Source source : scope.sources) {
            Token table = star.table();
            if (table != null && !source.name().equalsIgnoreCase(table.text())) {
                continue;
            }
            found = true;
            for (Scope.Field field : source.fields()) {
                if (table == null && field.merged()) {
                    continue;
                }
                TypedExpr merged = table == null ? scope.mergedColumns.get(Scope.lower(field.name())) : null;
                TypedExpr row = merged == null ? field.expr() : merged;
                Grouping grouping = scope.grouping;
                TypedExpr code = grouping == null || grouping.isKey(row.asResult()) ? row : grouping.fromOneRow(row);
                outputs.add(new SelectItem(field.name(), code.asResult(), null, false));
            }
        }
        if (!found) {
            Token table = star.table();
            throw PerfettoSqlException.at(
                    table == null ? star.at() : table,
                    table == null
                            ? "expected FROM: * requires a table"
                            : "no such table in this query: " + table.text());
        }
        if (outputs.size() == before) {
            throw PerfettoSqlException.at(star.at(), "expected a table with columns for *");
        }
    }

    private List<SqlQuery.Order> orderBy(List<Query.Order> orders, List<SelectItem> outputs, Scope scope) {
        return orders.stream()
                .map(order -> CallResolver.order(orderTerm(order.by(), outputs, scope), order))
                .toList();
    }

    private Sql orderTerm(Expr by, List<SelectItem> outputs, Scope scope) {
        if (by instanceof Expr.Literal literal && literal.at().kind() == Token.Kind.INTEGER) {
            return Sql.bare(QueryResolver.ordinal(literal.at(), outputs.size()));
        }
        if (by instanceof Expr.Name name && name.table() == null) {
            // an alias, or a column of a star: it need not be the only one of its name
            for (boolean aliased : new boolean[] {true, false}) {
                for (int i = 0; i < outputs.size(); i++) {
                    SelectItem output = outputs.get(i);
                    if (output.aliased() == aliased
                            && (aliased || output.expr() == null)
                            && output.name().equalsIgnoreCase(name.at().text())) {
                        return Sql.bare(i + 1);
                    }
                }
            }
        }
        TypedExpr code = expressions.translate(by, scope).asResult();
        for (int i = 0; i < outputs.size(); i++) {
            if (outputs.get(i).code().sql().equals(code.sql())) {
                return Sql.bare(i + 1);
            }
        }
        // DuckDB rejects constants here; they do not affect the order
        return AggregateFunctions.dependsOnRow(by)
                        || AggregateFunctions.containsAggregate(by)
                        || AggregateFunctions.containsWindow(by)
                ? code.sql()
                : ANY_CONSTANT;
    }
}
