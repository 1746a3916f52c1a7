package dev.unjank.query.function;

import dev.unjank.query.graph.GraphFunctions;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Aggregate and window functions. */
public final class AggregateFunctions {
    private static final Set<String> AGGREGATES = Set.of(
            "count",
            "sum",
            "total",
            "avg",
            "min",
            "max",
            "group_concat",
            "string_agg",
            "median",
            "percentile",
            "stddev",
            "stddev_pop",
            "variance",
            "first",
            "last",
            "any_value",
            "mode");

    /** Functions that require a window, with their minimum and maximum number of arguments. */
    private static final Map<String, int[]> WINDOW_ONLY = Map.ofEntries(
            Map.entry("row_number", new int[] {0, 0}),
            Map.entry("rank", new int[] {0, 0}),
            Map.entry("dense_rank", new int[] {0, 0}),
            Map.entry("percent_rank", new int[] {0, 0}),
            Map.entry("cume_dist", new int[] {0, 0}),
            Map.entry("ntile", new int[] {1, 1}),
            Map.entry("lag", new int[] {1, 3}),
            Map.entry("lead", new int[] {1, 3}),
            Map.entry("first_value", new int[] {1, 1}),
            Map.entry("last_value", new int[] {1, 1}),
            Map.entry("last_non_null", new int[] {1, 1}), // Perfetto's extension
            Map.entry("internal_layout", new int[] {2, 2}), // Perfetto's, too
            Map.entry("nth_value", new int[] {2, 2}));

    private AggregateFunctions() {}

    public static Stream<String> names() {
        return Stream.concat(AGGREGATES.stream(), WINDOW_ONLY.keySet().stream());
    }

    public static boolean isName(String name) {
        return AGGREGATES.contains(name) || WINDOW_ONLY.containsKey(name);
    }

    public static boolean isWindowFunction(String name) {
        return WINDOW_ONLY.containsKey(name);
    }

    public static boolean isAggregate(Expr.Call call) {
        boolean scalar =
                ScalarFunctions.acceptsArity(call.name(), call.arguments().size());
        return AGGREGATES.contains(call.name()) && !(scalar && call.arguments().size() > 1);
    }

    /**
     * Whether an expression contains an aggregate of its own query: neither one with a window nor one in a subquery.
     */
    public static boolean containsAggregate(@Nullable Expr expr) {
        if (expr instanceof Expr.Call call && isAggregate(call) && call.window() == null) {
            return true;
        }
        return expr != null && children(expr).anyMatch(AggregateFunctions::containsAggregate);
    }

    public static boolean containsWindow(Expr expr) {
        boolean window = expr instanceof Expr.Call call && call.window() != null;
        return window || children(expr).anyMatch(AggregateFunctions::containsWindow);
    }

    /** Whether the value of an expression can differ between rows. */
    public static boolean dependsOnRow(Expr expr) {
        return expr instanceof Expr.Name
                || expr instanceof Expr.Subquery
                || expr instanceof Expr.Exists
                || expr instanceof Expr.InQuery
                || children(expr).anyMatch(AggregateFunctions::dependsOnRow);
    }

    /** The calls of min and max as aggregates. */
    public static Stream<Expr.Call> minMaxCalls(Expr expr) {
        boolean extreme = expr instanceof Expr.Call call
                && call.window() == null
                && call.arguments().size() == 1
                && (call.name().equals("min") || call.name().equals("max"));
        return extreme ? Stream.of((Expr.Call) expr) : children(expr).flatMap(AggregateFunctions::minMaxCalls);
    }

    /** The direct subexpressions; without subqueries. */
    public static Stream<Expr> children(Expr expr) {
        return switch (expr) {
            case Expr.Literal literal -> Stream.of();
            case Expr.Parameter parameter -> Stream.of();
            case Expr.Name name -> Stream.of();
            case Expr.Unary unary -> Stream.of(unary.operand());
            case Expr.Binary binary -> Stream.of(binary.left(), binary.right());
            case Expr.Match match ->
                match.escape() == null
                        ? Stream.of(match.left(), match.pattern())
                        : Stream.of(match.left(), match.pattern(), match.escape());
            case Expr.Between between -> Stream.of(between.operand(), between.low(), between.high());
            case Expr.InList in -> Stream.concat(Stream.of(in.operand()), in.items().stream());
            case Expr.InQuery in -> Stream.of(in.operand());
            case Expr.Case choice ->
                Stream.of(
                                Stream.ofNullable(choice.operand()),
                                choice.whens().stream().flatMap(when -> Stream.of(when.condition(), when.result())),
                                Stream.ofNullable(choice.otherwise()))
                        .flatMap(part -> part);
            case Expr.Cast cast -> Stream.of(cast.operand());
            case Expr.Collate collate -> Stream.of(collate.operand());
            case Expr.Call call ->
                Stream.of(
                                call.arguments().stream(),
                                call.order().stream().map(Query.Order::by),
                                Stream.ofNullable(call.filter()),
                                windowParts(call.window()))
                        .flatMap(part -> part);
            case Expr.Subquery subquery -> Stream.of();
            case Expr.Exists exists -> Stream.of();
            case Expr.Row row -> row.items().stream();
        };
    }

    private static Stream<Expr> windowParts(Expr.@Nullable Window window) {
        return window == null
                ? Stream.of()
                : Stream.concat(
                        window.partition().stream(), window.order().stream().map(Query.Order::by));
    }

    /** Translates a call. */
    public static TypedExpr call(
            Expr.Call call,
            List<TypedExpr> arguments,
            List<SqlQuery.Order> order,
            @Nullable Sql filter,
            Sql.@Nullable Window window) {
        String name = call.name();
        int[] range = WINDOW_ONLY.get(name);
        Clauses clauses = new Clauses(call.distinct(), order, filter, window);
        if (range != null) {
            check(call, arguments, range[0], range[1]);
            return windowFunction(name, arguments, clauses);
        }
        if (name.equals("count")) {
            check(call, arguments, 0, 1);
            List<Sql> counted =
                    arguments.stream().map(value -> value.asResult().sql()).toList();
            return TypedExpr.of(clauses.call("count", counted), SqlType.INT);
        }
        boolean two = name.equals("group_concat") || name.equals("string_agg") || name.equals("percentile");
        check(call, arguments, name.equals("percentile") ? 2 : 1, two ? 2 : 1);
        TypedExpr argument = arguments.getFirst();
        return switch (name) {
            case "sum" -> {
                TypedExpr number = argument.number();
                Sql sum = clauses.call("sum", number.sql());
                yield number.type() == SqlType.REAL
                        ? TypedExpr.of(sum, SqlType.REAL)
                        : TypedExpr.of(Sql.cast(sum, SqlType.INT), SqlType.INT);
            }
            case "total" ->
                TypedExpr.of(
                        Sql.call("coalesce", clauses.call("sum", argument.real().sql()), Sql.real(0)), SqlType.REAL);
            case "avg" -> TypedExpr.of(clauses.call("avg", argument.number().sql()), SqlType.REAL);
            case "min", "max", "first", "last", "any_value", "mode" -> {
                TypedExpr value = argument.asResult();
                yield TypedExpr.of(clauses.ordered(name, List.of(value.sql())), value.type());
            }
            case "group_concat", "string_agg" -> {
                if (arguments.size() == 2 && dependsOnRow(call.arguments().get(1))) {
                    throw PerfettoSqlException.at(call.arguments().get(1).at(), "expected a constant separator");
                }
                Sql separator = arguments.size() == 2 ? arguments.get(1).text().sql() : Sql.text(",");
                yield TypedExpr.of(
                        clauses.ordered("string_agg", List.of(argument.text().sql(), separator)), SqlType.TEXT);
            }
            case "percentile" -> {
                Sql share = Sql.infix(arguments.get(1).real().sql(), "/", Sql.bare(100));
                Clauses all = new Clauses(false, order, filter, window);
                yield TypedExpr.of(all.call("quantile_cont", argument.real().sql(), share), SqlType.REAL);
            }
            case "stddev" ->
                TypedExpr.of(clauses.call("stddev_samp", argument.real().sql()), SqlType.REAL);
            case "variance" ->
                TypedExpr.of(clauses.call("var_samp", argument.real().sql()), SqlType.REAL);
            default -> TypedExpr.of(clauses.call(name, argument.real().sql()), SqlType.REAL);
        };
    }

    /** Parts of a call besides its arguments. */
    private record Clauses(
            boolean distinct,
            List<SqlQuery.Order> order,
            @Nullable Sql filter,
            Sql.@Nullable Window window) {
        Sql call(String function, Sql... arguments) {
            return call(function, List.of(arguments));
        }

        Sql call(String function, List<Sql> arguments) {
            return Sql.aggregate(new Sql.Aggregate(function, distinct, false, List.of(), filter, window), arguments);
        }

        /** A call whose result depends on the order of the rows. */
        Sql ordered(String function, List<Sql> arguments) {
            return Sql.aggregate(new Sql.Aggregate(function, distinct, false, order, filter, window), arguments);
        }

        Sql overWindow(String function, boolean ignoreNulls, List<Sql> arguments) {
            return Sql.aggregate(new Sql.Aggregate(function, false, ignoreNulls, List.of(), filter, window), arguments);
        }
    }

    private static TypedExpr windowFunction(String name, List<TypedExpr> arguments, Clauses clauses) {
        if (arguments.isEmpty()) {
            return TypedExpr.of(
                    clauses.overWindow(name, false, List.of()),
                    name.equals("percent_rank") || name.equals("cume_dist") ? SqlType.REAL : SqlType.INT);
        }
        if (name.equals("ntile")) {
            return TypedExpr.of(
                    clauses.overWindow(
                            name, false, List.of(arguments.getFirst().integer().sql())),
                    SqlType.INT);
        }
        if (name.equals("internal_layout")) {
            Sql slice = Sql.call(
                    "concat_ws",
                    Sql.text(" "),
                    arguments.getFirst().integer().sql(),
                    arguments.get(1).integer().sql());
            Sql slices = clauses.overWindow("string_agg", false, List.of(slice, Sql.text(";")));
            return TypedExpr.of(
                    Sql.cast(Sql.macro(GraphFunctions.LAYOUT, slices, Sql.text("")), SqlType.INT), SqlType.INT);
        }
        TypedExpr value = arguments.getFirst().asResult();
        List<Sql> values = new ArrayList<>(List.of(value.sql()));
        if (arguments.size() > 1) {
            values.add(arguments.get(1).integer().sql());
        }
        if (arguments.size() > 2) {
            values.add(arguments.get(2).convertTo(value.type()).sql());
        }
        return TypedExpr.of(
                name.equals("last_non_null")
                        ? clauses.overWindow("last_value", true, values)
                        : clauses.overWindow(name, false, values),
                value.type());
    }

    private static void check(Expr.Call call, List<TypedExpr> arguments, int least, int most) {
        if (arguments.size() < least || arguments.size() > most) {
            String expected = least == most ? Integer.toString(least) : least + " to " + most;
            throw PerfettoSqlException.at(
                    call.at(),
                    "wrong number of arguments to " + call.name() + ": expected " + expected + ", found "
                            + arguments.size());
        }
    }
}
