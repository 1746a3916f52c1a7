package dev.unjank.query.resolve;

import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Translates queries: WITH, VALUES, UNION, INTERSECT, EXCEPT and LIMIT; {@link SelectResolver} translates a single SELECT.
 * All columns are qualified, and all stars expanded.
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
     * @param distinctNames whether column names must be unique, as in anything that is selected from
     */
    TypedQuery query(Query query, @Nullable Scope outer, List<Token> outNames, boolean distinctNames) {
        context.enter(query.at());
        try {
            Scope scope = new Scope(outer);
            String with = with(query, scope);
            TypedQuery rows = query.rest().isEmpty()
                    ? single(query, scope, outNames, distinctNames)
                    : combined(query, scope, outNames, distinctNames);
            return new TypedQuery(context.checkLength(query.at(), with + rows.sql()), rows.columns(), rows.affinity());
        } finally {
            context.leave();
        }
    }

    // WITH

    private String with(Query query, Scope scope) {
        if (query.with().isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        boolean recursive = false;
        for (Query.With with : query.with()) {
            String sqlName = context.names.fresh(with.name().text());
            TypedQuery rows = mayRecur(with) ? null : query(with.query(), scope, with.columns(), true);
            if (rows == null) {
                Recursion recursion = new Recursion(with, sqlName, scope);
                rows = recursion.rows();
                recursive |= recursion.recurs;
            }
            scope.commonTables.put(Scope.lower(with.name().text()), new Scope.CommonTable(sqlName, rows.columns()));
            parts.add(sqlName + " AS " + with.hint() + (with.hint().isEmpty() ? "(" : " (") + rows.sql() + ")");
        }
        return (recursive ? "WITH RECURSIVE " : "WITH ") + String.join(", ", parts) + " ";
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
        private final String sqlName;
        private final Scope scope;
        boolean recurs;

        Recursion(Query.With with, String sqlName, Scope outer) {
            this.with = with;
            this.sqlName = sqlName;
            this.scope = new Scope(outer);
        }

        TypedQuery rows() {
            Query query = with.query();
            String inner = QueryResolver.this.with(query, scope);
            List<TypedQuery> arms = new ArrayList<>(List.of(core(query.first(), scope, with.columns())));
            int firstRecursive = -1;
            List<TypedColumn> known = List.of();
            // repeated if the recursive part changed the type of a column
            while (!known.equals(unified(query, arms).columns())) {
                known = unified(query, arms).columns();
                arms.subList(1, arms.size()).clear();
                firstRecursive = -1;
                for (int i = 0; i < query.rest().size(); i++) {
                    Scope.CommonTable self = new Scope.CommonTable(sqlName, known);
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
            List<TypedColumn> columns = unified(query, arms).columns();
            String operator = query.rest().get(firstRecursive - 1).operator();
            String base = joined(query, arms.subList(0, firstRecursive), columns, 0);
            String step = joined(query, arms.subList(firstRecursive, arms.size()), columns, firstRecursive);
            return new TypedQuery(inner + "(" + base + ") " + operator + " (" + step + ")", columns, false);
        }
    }

    // UNION, INTERSECT and EXCEPT

    private TypedQuery combined(Query query, Scope scope, List<Token> outNames, boolean distinctNames) {
        List<TypedQuery> arms = new ArrayList<>(List.of(core(query.first(), scope, outNames)));
        query.rest().forEach(part -> arms.add(core(part.core(), scope, List.of())));
        List<TypedColumn> columns = unified(query, arms).columns();
        if (distinctNames) {
            columns = SelectResolver.distinct(columns);
        }
        StringBuilder sql = new StringBuilder(joined(query, arms, columns, 0));
        if (!query.order().isEmpty()) {
            List<String> terms = new ArrayList<>();
            for (Query.Order order : query.order()) {
                terms.add(outputPosition(order.by(), columns) + CallResolver.direction(order));
            }
            sql.append(" ORDER BY ").append(String.join(", ", terms));
        }
        sql.append(limit(query, scope));
        return new TypedQuery(sql.toString(), columns, false);
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

    /** Columns of combined queries: names of the first, and types that all convert to. */
    private static TypedQuery unified(Query query, List<TypedQuery> arms) {
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
        return new TypedQuery("", columns, false);
    }

    /** Combines queries from left to right; DuckDB would give INTERSECT precedence. */
    private String joined(Query query, List<TypedQuery> arms, List<TypedColumn> columns, int first) {
        List<String> operators = query.rest().subList(first, first + arms.size() - 1).stream()
                .map(Query.Combined::operator)
                .toList();
        boolean alike = operators.stream().distinct().count() <= 1;
        StringBuilder sql = new StringBuilder(converted(arms.getFirst(), columns));
        for (int i = 1; i < arms.size(); i++) {
            if (i > 1 && !alike) {
                sql.insert(0, '(').append(')');
            }
            sql.append(' ').append(operators.get(i - 1)).append(' ').append(converted(arms.get(i), columns));
        }
        return sql.toString();
    }

    /** Converts a query to the given names and types. */
    private String converted(TypedQuery arm, List<TypedColumn> columns) {
        if (arm.columns().equals(columns)) {
            return "(" + arm.sql() + ")";
        }
        String alias = context.names.fresh("arm");
        List<String> names =
                IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).toList();
        String items = IntStream.range(0, columns.size())
                .mapToObj(i -> {
                    SqlType type = arm.columns().get(i).type();
                    TypedExpr code = TypedExpr.of(alias + "." + names.get(i), type);
                    SqlType wanted = columns.get(i).type();
                    TypedExpr right = type == wanted || type == SqlType.NULL
                            ? TypedExpr.of("CAST(" + code.sql() + " AS " + wanted.sql() + ")", wanted)
                            : code.convertTo(wanted);
                    return right.sql() + " AS " + SqlQuoting.name(columns.get(i).name());
                })
                .collect(Collectors.joining(", "));
        return "(SELECT " + items + " FROM (" + arm.sql() + ") AS " + alias + "(" + String.join(", ", names) + "))";
    }

    private TypedQuery core(Query.Core core, Scope scope, List<Token> outNames) {
        Query alone = new Query(core.at(), false, List.of(), core, List.of(), List.of(), null, null);
        return single(alone, scope, outNames, true);
    }

    // One SELECT or VALUES

    private TypedQuery single(Query query, Scope scope, List<Token> outNames, boolean distinctNames) {
        TypedQuery rows = switch (query.first()) {
            case Query.Values values -> values(values, scope, outNames);
            case Query.Select select -> selects.select(query, select, scope, outNames, distinctNames);
        };
        if (query.first() instanceof Query.Values && !query.order().isEmpty()) {
            List<String> terms = query.order().stream()
                    .map(order -> outputPosition(order.by(), rows.columns()) + CallResolver.direction(order))
                    .toList();
            return new TypedQuery(
                    rows.sql() + " ORDER BY " + String.join(", ", terms) + limit(query, scope), rows.columns(), false);
        }
        return new TypedQuery(rows.sql() + limit(query, scope), rows.columns(), rows.affinity());
    }

    private String limit(Query query, Scope scope) {
        return limit("LIMIT", query.limit(), scope) + limit("OFFSET", query.offset(), scope);
    }

    /** A negative limit means no limit. */
    private String limit(String keyword, @Nullable Expr amount, Scope scope) {
        if (amount == null) {
            return "";
        }
        if (amount instanceof Expr.Literal literal
                && literal.at().kind() == Token.Kind.INTEGER
                && literal.at().text().length() < 19) {
            return " " + keyword + " " + literal.at().text();
        }
        String number = expressions.translate(amount, scope).integer().sql();
        String none = keyword.equals("LIMIT") ? "9223372036854775807" : "0";
        return " " + keyword + " (CASE WHEN " + number + " < 0 THEN " + none + " ELSE " + number + " END)";
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
        String body = rows.stream()
                .map(row -> IntStream.range(0, width)
                        .mapToObj(i -> row.get(i).convertTo(types.get(i)).sql())
                        .collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.joining(", "));
        String names =
                columns.stream().map(column -> SqlQuoting.name(column.name())).collect(Collectors.joining(", "));
        String alias = context.names.fresh("rows");
        return new TypedQuery("SELECT * FROM (VALUES " + body + ") AS " + alias + "(" + names + ")", columns, false);
    }
}
