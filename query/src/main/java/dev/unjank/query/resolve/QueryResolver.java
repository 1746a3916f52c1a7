package dev.unjank.query.resolve;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Translates queries: WITH, VALUES, UNION, INTERSECT, EXCEPT and LIMIT; {@link SelectResolver} translates a single
 * SELECT. All columns are qualified, and all stars expanded.
 */
final class QueryResolver {
    private final StatementContext context;
    private final ExpressionResolver expressions;
    private final SelectResolver selects;

    QueryResolver(StatementContext context) {
        this.context = context;
        this.expressions = new ExpressionResolver(this);
        this.selects = new SelectResolver(this, expressions);
    }

    StatementContext context() {
        return context;
    }

    /** Translates a subquery. */
    TypedQuery query(Query query, Scope outer) {
        return query(query, outer, List.of(), true);
    }

    /**
     * Translates a query.
     *
     * @param outNames names of the columns; empty for SQLite's names
     */
    TypedQuery query(Query query, @Nullable Scope outer, List<Token> outNames, boolean distinctNames) {
        context.enter(query.at());
        try {
            Scope scope = new Scope(outer);
            With with = with(query, scope);
            TypedQuery rows = query.rest().isEmpty()
                    ? single(query, scope, outNames, distinctNames)
                    : combined(query, scope, outNames, distinctNames);
            return new TypedQuery(with.around(rows.query()), rows.columns(), rows.affinity());
        } finally {
            context.leave();
        }
    }

    // WITH

    /** The common table expressions of a query. */
    private record With(boolean recursive, List<SqlQuery.CommonTable> tables) {
        SqlQuery around(SqlQuery query) {
            return tables.isEmpty() ? query : new SqlQuery.With(recursive, tables, query);
        }
    }

    private With with(Query query, Scope scope) {
        List<SqlQuery.CommonTable> tables = new ArrayList<>();
        boolean recursive = false;
        for (Query.With with : query.with()) {
            String alias = context.names.fresh(with.name().text());
            TypedQuery rows = mayRecur(with) ? null : query(with.query(), scope, with.columns(), true);
            if (rows == null) {
                Recursion recursion = new Recursion(with, alias, scope);
                rows = recursion.rows();
                recursive |= recursion.recurs;
            }
            scope.commonTables.put(Scope.lower(with.name().text()), new Scope.CommonTable(alias, rows.columns()));
            tables.add(new SqlQuery.CommonTable(alias, with.hint(), rows.query()));
        }
        return new With(recursive, tables);
    }

    private static boolean mayRecur(Query.With with) {
        Query query = with.query();
        return with.namesItself()
                && !query.rest().isEmpty()
                && query.rest().stream().allMatch(part -> part.operator().startsWith("UNION"));
    }

    /** A common table expression that may select from itself in later parts of its UNION. */
    private final class Recursion {
        private final Query.With with;
        private final String alias;
        private final Scope scope;
        boolean recurs;

        Recursion(Query.With with, String alias, Scope outer) {
            this.with = with;
            this.alias = alias;
            this.scope = new Scope(outer);
        }

        TypedQuery rows() {
            Query query = with.query();
            With inner = QueryResolver.this.with(query, scope);
            List<TypedQuery> arms = new ArrayList<>(List.of(core(query.first(), scope, with.columns())));
            int firstRecursive = -1;
            List<TypedColumn> known = List.of();
            // repeated if the recursive part changed the type of a column
            while (!known.equals(unified(query, arms))) {
                known = unified(query, arms);
                arms.subList(1, arms.size()).clear();
                firstRecursive = -1;
                for (int i = 0; i < query.rest().size(); i++) {
                    Scope.CommonTable self = new Scope.CommonTable(alias, known);
                    scope.commonTables.put(Scope.lower(with.name().text()), self);
                    arms.add(core(query.rest().get(i).core(), scope, with.columns()));
                    if (self.used && firstRecursive < 0) {
                        firstRecursive = i + 1;
                    }
                }
            }
            scope.commonTables.remove(Scope.lower(with.name().text()));
            recurs = firstRecursive >= 0;
            if (!recurs) {
                return QueryResolver.this.query(query, scope.outer, with.columns(), true);
            }
            if (query.limit() != null || !query.order().isEmpty()) {
                throw PerfettoSqlException.at(
                        with.name(), "ORDER BY and LIMIT are not supported in a recursive query: put them around it");
            }
            List<TypedColumn> columns = unified(query, arms);
            String operator = query.rest().get(firstRecursive - 1).operator();
            SqlQuery base = joined(query, arms.subList(0, firstRecursive), columns, 0);
            SqlQuery step = joined(query, arms.subList(firstRecursive, arms.size()), columns, firstRecursive);
            SqlQuery rows = new SqlQuery.Combined(List.of(base, step), List.of(operator));
            return new TypedQuery(inner.around(rows), columns, false);
        }
    }

    // UNION, INTERSECT and EXCEPT

    private TypedQuery combined(Query query, Scope scope, List<Token> outNames, boolean distinctNames) {
        List<TypedQuery> arms = new ArrayList<>(List.of(core(query.first(), scope, outNames)));
        query.rest().forEach(part -> arms.add(core(part.core(), scope, List.of())));
        List<TypedColumn> columns = unified(query, arms);
        if (distinctNames) {
            columns = SelectResolver.distinct(columns);
        }
        SqlQuery rows = joined(query, arms, columns, 0);
        return new TypedQuery(limited(rows, orderByPosition(query, columns), query, scope), columns, false);
    }

    private static List<SqlQuery.Order> orderByPosition(Query query, List<TypedColumn> columns) {
        List<SqlQuery.Order> terms = new ArrayList<>();
        for (Query.Order order : query.order()) {
            terms.add(CallResolver.order(Sql.bare(outputPosition(order.by(), columns)), order));
        }
        return terms;
    }

    private static int outputPosition(Expr by, List<TypedColumn> columns) {
        if (by instanceof Expr.Literal literal && literal.at().kind() == Token.Kind.INTEGER) {
            return ordinal(literal.at(), columns.size());
        }
        if (by instanceof Expr.Name name) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).name().equalsIgnoreCase(name.at().text())) {
                    return i + 1;
                }
            }
        }
        throw PerfettoSqlException.at(by.at(), "expected a column of the result after ORDER BY of combined queries");
    }

    static int ordinal(Token number, int columns) {
        String text = number.text();
        int position = text.length() > 6 || !text.chars().allMatch(Character::isDigit) ? 0 : Integer.parseInt(text);
        if (position < 1 || position > columns) {
            throw PerfettoSqlException.at(
                    number, "expected a column's number from 1 to " + columns + ", found " + text);
        }
        return position;
    }

    /**
     * The columns of combined queries: the first query's names, and types to which the columns of all queries convert.
     */
    private static List<TypedColumn> unified(Query query, List<TypedQuery> arms) {
        List<TypedColumn> columns = new ArrayList<>(arms.getFirst().columns());
        for (int arm = 1; arm < arms.size(); arm++) {
            List<TypedColumn> others = arms.get(arm).columns();
            if (others.size() != columns.size()) {
                throw PerfettoSqlException.at(
                        query.rest().get(arm - 1).core().at(),
                        "expected " + columns.size() + (columns.size() == 1 ? " column" : " columns")
                                + " as in the SELECT before, found " + others.size());
            }
            for (int i = 0; i < columns.size(); i++) {
                TypedColumn column = columns.get(i);
                columns.set(
                        i,
                        new TypedColumn(
                                column.name(),
                                column.type().commonType(others.get(i).type())));
            }
        }
        return columns;
    }

    /** Combines arms of a compound SELECT with their operators; the arms begin with number {@code first}. */
    private SqlQuery joined(Query query, List<TypedQuery> arms, List<TypedColumn> columns, int first) {
        List<SqlQuery> converted =
                arms.stream().map(arm -> converted(arm, columns)).toList();
        List<String> operators = query.rest().subList(first, first + arms.size() - 1).stream()
                .map(Query.Combined::operator)
                .toList();
        return operators.isEmpty() ? converted.getFirst() : new SqlQuery.Combined(converted, operators);
    }

    /** Converts a query to the given names and types. */
    private SqlQuery converted(TypedQuery arm, List<TypedColumn> columns) {
        if (arm.columns().equals(columns)) {
            return arm.query();
        }
        String alias = context.names.fresh("arm");
        List<String> names =
                IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).toList();
        List<SqlQuery.Item> items = IntStream.range(0, columns.size())
                .mapToObj(i -> {
                    SqlType type = arm.columns().get(i).type();
                    Sql column = Sql.column(alias, names.get(i));
                    SqlType wanted = columns.get(i).type();
                    Sql value = type == wanted || type == SqlType.NULL
                            ? Sql.cast(column, wanted)
                            : TypedExpr.of(column, type).convertTo(wanted).sql();
                    return new SqlQuery.Item(value, columns.get(i).name());
                })
                .toList();
        return SqlQuery.Select.of(items, SqlQuery.Nested.of(arm.query(), alias, names));
    }

    private TypedQuery core(Query.Core core, Scope scope, List<Token> outNames) {
        Query alone = new Query(core.at(), false, List.of(), core, List.of(), List.of(), null, null);
        return single(alone, scope, outNames, true);
    }

    // One SELECT or VALUES

    private TypedQuery single(Query query, Scope scope, List<Token> outNames, boolean distinctNames) {
        return switch (query.first()) {
            case Query.Values values -> {
                TypedQuery rows = values(values, scope, outNames);
                List<SqlQuery.Order> order = orderByPosition(query, rows.columns());
                yield new TypedQuery(limited(rows.query(), order, query, scope), rows.columns(), false);
            }
            case Query.Select select -> {
                SelectResolver.Selected selected = selects.select(query, select, scope, outNames, distinctNames);
                TypedQuery rows = selected.rows();
                yield new TypedQuery(
                        limited(rows.query(), selected.order(), query, scope), rows.columns(), rows.affinity());
            }
        };
    }

    private SqlQuery limited(SqlQuery rows, List<SqlQuery.Order> order, Query query, Scope scope) {
        Sql limit = limit(query.limit(), Long.MAX_VALUE, scope);
        Sql offset = limit(query.offset(), 0, scope);
        return order.isEmpty() && limit == null && offset == null
                ? rows
                : new SqlQuery.Limited(rows, order, limit, offset);
    }

    /** Translates LIMIT or OFFSET to a number of rows; a negative number becomes {@code none}. */
    private @Nullable Sql limit(@Nullable Expr amount, long none, Scope scope) {
        if (amount == null) {
            return null;
        }
        Sql number = expressions.translate(amount, scope).integer().sql();
        return number.form() instanceof Sql.Int literal && literal.value() >= 0
                ? Sql.bare(literal.value())
                : Sql.choice(Sql.infix(number, "<", Sql.bare(0)), Sql.integer(none), number);
    }

    private TypedQuery values(Query.Values values, Scope scope, List<Token> outNames) {
        int width = values.rows().getFirst().size();
        List<List<TypedExpr>> rows = new ArrayList<>();
        List<SqlType> types = new ArrayList<>();
        for (List<Expr> row : values.rows()) {
            if (row.size() != width) {
                throw PerfettoSqlException.at(
                        row.getFirst().at(), "expected " + width + " values as in the first row, found " + row.size());
            }
            List<TypedExpr> codes = new ArrayList<>();
            for (int i = 0; i < width; i++) {
                TypedExpr code = expressions.translate(row.get(i), scope).asResult();
                codes.add(code);
                if (rows.isEmpty()) {
                    types.add(code.type());
                } else {
                    types.set(i, types.get(i).commonType(code.type()));
                }
            }
            rows.add(codes);
        }
        List<TypedColumn> columns = IntStream.range(0, width)
                .mapToObj(i -> new TypedColumn(
                        i < outNames.size() ? outNames.get(i).text() : "column" + (i + 1), types.get(i)))
                .toList();
        List<List<Sql>> converted = rows.stream()
                .map(row -> IntStream.range(0, width)
                        .mapToObj(i -> row.get(i).convertTo(types.get(i)).sql())
                        .toList())
                .toList();
        List<String> names = columns.stream().map(TypedColumn::name).toList();
        return new TypedQuery(new SqlQuery.Values(converted, context.names.fresh("rows"), names), columns, false);
    }
}
