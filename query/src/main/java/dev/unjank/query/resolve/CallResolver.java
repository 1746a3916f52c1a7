package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.function.ScalarFunctions;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Translates calls: scalar functions, aggregates, window functions, and functions defined in SQL. */
final class CallResolver {
    private final StatementContext context;
    private final ExpressionResolver expressions;
    private final QueryResolver queries;

    CallResolver(ExpressionResolver expressions, QueryResolver queries) {
        this.context = queries.context();
        this.expressions = expressions;
        this.queries = queries;
    }

    TypedExpr call(Expr.Call written, Scope scope) {
        String target = context.resolver.catalog().delegates.get(written.name());
        Expr.Call call = target == null ? written : written.named(target);
        String name = call.name();
        boolean aggregate = AggregateFunctions.isAggregate(call);
        if (aggregate || AggregateFunctions.isWindowFunction(name)) {
            return aggregate(call, aggregate, scope);
        }
        Catalog.Function function = context.resolver.function(name);
        if (function != null && function.columns() != null) {
            throw PerfettoSqlException.at(call.at(), name + " is a table function: expected it after FROM or JOIN");
        }
        if (function == null && !ScalarFunctions.has(name)) {
            throw context.resolver.unknownFunction(call.at());
        }
        if (call.star()
                || call.distinct()
                || call.filter() != null
                || call.window() != null
                || !call.order().isEmpty()) {
            throw PerfettoSqlException.at(call.at(), name + " is not an aggregate: expected plain arguments");
        }
        if (function != null && ConstantEvaluator.isRecursive(name, function.body())) {
            return recursive(call, function).at(context.position(call.at()));
        }
        List<TypedExpr> arguments = expressions.translate(call.arguments(), scope);
        TypedExpr code = function == null
                ? ScalarFunctions.call(call.at(), name, arguments)
                : written(call, function, arguments);
        return code.at(context.position(call.at()));
    }

    private TypedExpr recursive(Expr.Call call, Catalog.Function function) {
        ConstantEvaluator.Constant constant = new ConstantEvaluator(context.resolver.catalog())
                .value(call)
                .orElseThrow(() -> PerfettoSqlException.at(
                        call.at(),
                        call.name()
                                + " is recursive: its arguments must be constants, and its body cannot read tables"));
        SqlType type = function.type() == null ? SqlType.ANY : function.type();
        return switch (constant.value()) {
            case Long number -> TypedExpr.of(Sql.integer(number), SqlType.INT).convertTo(type);
            case Double number -> TypedExpr.of(Sql.real(number), SqlType.REAL).convertTo(type);
            case String text -> TypedExpr.of(Sql.text(text), SqlType.TEXT).convertTo(type);
            case null, default -> TypedExpr.NULL.convertTo(type);
        };
    }

    private TypedExpr aggregate(Expr.Call call, boolean aggregate, Scope scope) {
        if (call.window() == null) {
            if (!aggregate) {
                throw PerfettoSqlException.at(call.at(), "expected OVER after the window function " + call.name());
            }
            Grouping grouping = scope.grouping;
            if (grouping == null || grouping.suspended) {
                throw PerfettoSqlException.at(call.at(), "misuse of aggregate " + call.name() + " here");
            }
            grouping.suspended = true;
            try {
                return aggregateCode(call, scope);
            } finally {
                grouping.suspended = false;
            }
        }
        return aggregateCode(call, scope);
    }

    private TypedExpr aggregateCode(Expr.Call call, Scope scope) {
        List<TypedExpr> arguments = expressions.translate(call.arguments(), scope);
        if (call.star() && !call.name().equals("count")) {
            throw PerfettoSqlException.at(call.at(), "expected an argument instead of * for " + call.name());
        }
        Sql filter = call.filter() == null
                ? null
                : expressions.translate(call.filter(), scope).asCondition();
        Sql.Window window = call.window() == null ? null : window(call.window(), scope, 0);
        return AggregateFunctions.call(call, arguments, orderBy(call.order(), scope), filter, window)
                .at(context.position(call.at()));
    }

    /** A window with the clauses of the windows that it is based on. */
    private Sql.Window window(Expr.Window window, Scope scope, int depth) {
        List<Sql> partition = new ArrayList<>();
        List<SqlQuery.Order> order = new ArrayList<>();
        String frame = window.frame();
        if (window.base() != null) {
            Expr.Window base = scope.windows.get(Scope.lower(window.base().text()));
            if (base == null || depth > 20) {
                throw PerfettoSqlException.at(
                        window.base(), "no such window: " + window.base().text());
            }
            Sql.Window inherited = window(base, scope, depth + 1);
            partition.addAll(inherited.partition());
            order.addAll(inherited.order());
            frame = frame.isEmpty() ? inherited.frame() : frame;
        }
        for (TypedExpr code : expressions.translate(window.partition(), scope)) {
            partition.add(code.asResult().sql());
        }
        checkRange(window, scope);
        order.addAll(orderBy(window.order(), scope));
        return new Sql.Window(partition, order, frame);
    }

    /** A RANGE frame with a distance requires a numeric ORDER BY. */
    private void checkRange(Expr.Window window, Scope scope) {
        boolean distance =
                window.frame().startsWith("RANGE") && window.frame().chars().anyMatch(Character::isDigit);
        if (!distance || window.order().isEmpty()) {
            return;
        }
        Query.Order order = window.order().getFirst();
        if (window.order().size() > 1
                || !expressions.translate(order.by(), scope).type().isNumber()) {
            throw PerfettoSqlException.at(
                    order.by().at(), "expected one number after ORDER BY, for a RANGE with a distance");
        }
    }

    private List<SqlQuery.Order> orderBy(List<Query.Order> orders, Scope scope) {
        return orders.stream()
                .map(order -> order(
                        expressions.translate(order.by(), scope).asResult().sql(), order))
                .toList();
    }

    /** SQLite sorts NULL first, and last in descending order. */
    static SqlQuery.Order order(Sql by, Query.Order order) {
        boolean nullsFirst =
                order.nulls().isEmpty() ? !order.descending() : order.nulls().equals("FIRST");
        return new SqlQuery.Order(by, order.descending(), nullsFirst);
    }

    /** Inlines the body of a function defined in SQL. */
    private TypedExpr written(Expr.Call expr, Catalog.Function function, List<TypedExpr> arguments) {
        Token call = expr.at();
        Scope scope = bodyScope(call, function, expr.arguments(), arguments);
        Query body = function.body();
        TypedExpr code = body.first() instanceof Query.Select select && isExpression(body, select)
                ? context.inlined(
                        call,
                        () -> expressions.translate(
                                ((Query.Column) select.items().getFirst()).value(), scope))
                : ExpressionResolver.scalar(call, context.inlined(call, () -> queries.query(body, scope)));
        SqlType type = function.type() == null ? SqlType.ANY : function.type();
        if (type == SqlType.ANY) {
            return code.type() == SqlType.TEXT ? new TypedExpr(code.sql(), SqlType.ANY, code.affinity()) : code;
        }
        boolean convert = (type.isText() != code.type().isText()) && code.type() != SqlType.NULL;
        return convert ? code.convertTo(type) : code;
    }

    /** The scope of a function body: its parameters only. */
    static Scope bodyScope(Token call, Catalog.Function function, List<Expr> given, List<TypedExpr> arguments) {
        List<Statement.TypedName> parameters = function.parameters();
        if (arguments.size() != parameters.size()) {
            throw PerfettoSqlException.at(
                    call,
                    "wrong number of arguments to " + call.text().toLowerCase(Locale.ROOT) + ": expected "
                            + parameters.size() + ", found " + arguments.size());
        }
        Scope scope = new Scope(null);
        for (int i = 0; i < arguments.size(); i++) {
            TypedExpr argument = arguments.get(i);
            SqlType type = SqlType.ofName(parameters.get(i).type().text());
            if (!argument.type().isAssignableTo(type)) {
                throw PerfettoSqlException.at(
                        given.get(i).at(),
                        "expected " + type.displayName() + " for "
                                + parameters.get(i).name().text() + " of "
                                + call.text().toLowerCase(Locale.ROOT) + ", found "
                                + argument.type().displayName());
            }
            TypedExpr code =
                    argument.type() == SqlType.NULL && type != SqlType.ANY ? argument.convertTo(type) : argument;
            scope.parameters.put(Scope.lower(parameters.get(i).name().text()), code);
        }
        return scope;
    }

    /** Whether a body is a single expression, which needs no subquery. */
    private static boolean isExpression(Query body, Query.Select select) {
        return body.with().isEmpty()
                && body.rest().isEmpty()
                && body.limit() == null
                && select.from() == null
                && select.where() == null
                && select.group().isEmpty()
                && select.having() == null
                && select.items().size() == 1
                && select.items().getFirst() instanceof Query.Column column
                && !AggregateFunctions.containsAggregate(column.value());
    }
}
