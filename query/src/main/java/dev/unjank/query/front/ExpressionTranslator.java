package dev.unjank.query.front;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Expressions into the engine's SQL, with SQLite's meaning. */
class ExpressionTranslator {
    private static final String LEAST_LONG = "9223372036854775808";

    protected final Translation translation;

    ExpressionTranslator(Translation translation) {
        this.translation = translation;
    }

    final Code translate(Expr expr, Scope scope) {
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

    private List<Code> translate(List<Expr> list, Scope scope) {
        List<Code> codes = new ArrayList<>();
        list.forEach(expr -> codes.add(translate(expr, scope)));
        return codes;
    }

    private Code plain(Expr expr, Scope scope) {
        return switch (expr) {
            case Expr.Literal literal -> literal(literal.at());
            case Expr.Parameter parameter -> parameter(parameter.at(), scope);
            case Expr.Name name -> name(name, scope);
            case Expr.Unary unary -> unary(unary, scope);
            case Expr.Binary binary -> binary(binary, scope);
            case Expr.Match match -> match(match, scope);
            case Expr.Between between -> between(between, scope);
            case Expr.InList in -> in(in, scope);
            case Expr.InQuery in -> in(in, scope);
            case Expr.Case choice -> choice(choice, scope);
            case Expr.Cast cast -> cast(cast, scope);
            case Expr.Collate collate -> collate(collate, scope);
            case Expr.Call call -> call(call, scope);
            case Expr.Subquery subquery -> scalar(subquery.at(), query(subquery.query(), scope));
            case Expr.Exists exists ->
                Code.truth("EXISTS (" + query(exists.query(), scope).sql() + ")");
            case Expr.Row row ->
                throw PerfettoSqlException.at(
                        row.at(), "expected one value, found " + row.items().size());
        };
    }

    private static Code scalar(Token at, Rows rows) {
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
                    token, "no such column: " + token.text() + Suggestion.of(token.text(), scope.columnNames()));
        }
        return new Code(translation.marks.mark(token) + code.sql(), code.type(), code.affinity());
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
        throw PerfettoSqlException.at(table, "no such table in this query: " + table.text());
    }

    private Code unary(Expr.Unary unary, Scope scope) {
        Expr inner = unary.operand();
        boolean leastLong = unary.operator().equals("-")
                && inner instanceof Expr.Literal literal
                && literal.at().kind() == Token.Kind.INTEGER
                && literal.at().text().equals(LEAST_LONG);
        if (leastLong) {
            return Code.of("CAST('-" + LEAST_LONG + "' AS BIGINT)", SqlType.INT);
        }
        Code operand = translate(inner, scope);
        return switch (unary.operator()) {
            case "NOT" -> Code.truth("(NOT " + operand.condition() + ")");
            case "IS NULL" -> Code.truth("(" + operand.sql() + " IS NULL)");
            case "NOT NULL" -> Code.truth("(" + operand.sql() + " IS NOT NULL)");
            case "-" ->
                Code.of("(-" + operand.number().sql() + ")", operand.number().type());
            case "~" -> Code.of("(~" + operand.integer().sql() + ")", SqlType.INT);
            default -> Code.of(operand.sql(), operand.type());
        };
    }

    private Code binary(Expr.Binary binary, Scope scope) {
        if (binary.left() instanceof Expr.Row left && binary.right() instanceof Expr.Row right) {
            return rows(binary, left, right, scope);
        }
        Expr.Collate collation =
                binary.left() instanceof Expr.Collate c ? c : binary.right() instanceof Expr.Collate c ? c : null;
        Code left = collated(translate(binary.left(), scope), collation);
        Code right = collated(translate(binary.right(), scope), collation);
        String mark = translation.marks.mark(binary.at());
        return switch (binary.operator()) {
            case "AND", "OR" ->
                Code.truth("(" + left.condition() + " " + binary.operator() + " " + right.condition() + ")");
            case "=", "<>", "<", "<=", ">", ">=" -> Comparison.compare(left, binary.operator(), right);
            case "IS", "IS NOT" -> is(binary, left, right);
            case "||" -> Code.of("(" + left.text().sql() + " || " + right.text().sql() + ")", SqlType.TEXT);
            case "&", "|", "<<", ">>" ->
                Code.of(
                        "(" + left.integer().sql() + " " + mark + binary.operator() + " "
                                + right.integer().sql() + ")",
                        SqlType.INT);
            case "%" -> {
                String sql =
                        "(" + left.integer().sql() + " % " + right.integer().sql() + ")";
                yield left.type() == SqlType.REAL || right.type() == SqlType.REAL
                        ? Code.of("CAST(" + sql + " AS DOUBLE)", SqlType.REAL)
                        : Code.of(sql, SqlType.INT);
            }
            default -> arithmetic(left.number(), mark, binary.operator(), right.number());
        };
    }

    private static Code arithmetic(Code left, String mark, String operator, Code right) {
        SqlType type = left.type() == SqlType.NULL ? SqlType.INT : left.type();
        type = type.with(right.type());
        if (operator.equals("/")) {
            return type == SqlType.REAL
                    ? Code.of(
                            "(" + left.real().sql() + " / nullif("
                                    + right.real().sql() + ", 0))",
                            type)
                    : Code.of("(" + left.sql() + " // " + right.sql() + ")", type);
        }
        return Code.of("(" + left.sql() + " " + mark + operator + " " + right.sql() + ")", type);
    }

    private static Code is(Expr.Binary binary, Code left, Code right) {
        boolean not = binary.operator().equals("IS NOT");
        boolean truth = binary.right() instanceof Expr.Literal literal
                && (literal.at().isWord("TRUE") || literal.at().isWord("FALSE"));
        if (truth) {
            String wanted = right.sql();
            return Code.truth(
                    "(" + left.condition() + " IS " + (not ? "DISTINCT FROM " : "NOT DISTINCT FROM ") + wanted + ")");
        }
        Code same = Comparison.same(left, right);
        return not ? Code.truth("(NOT " + same.sql() + ")") : same;
    }

    private Code rows(Expr.Binary binary, Expr.Row left, Expr.Row right, Scope scope) {
        if (left.items().size() != right.items().size()) {
            throw PerfettoSqlException.at(
                    binary.at(),
                    "expected rows of one length, found " + left.items().size() + " and "
                            + right.items().size() + " values");
        }
        List<String> equal = new ArrayList<>();
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        for (int i = 0; i < left.items().size(); i++) {
            Code l = translate(left.items().get(i), scope);
            Code r = translate(right.items().get(i), scope);
            equal.add(Comparison.compare(l, "=", r).sql());
            a.add(l.value().sql());
            b.add(r.value().sql());
        }
        String all = "(" + String.join(" AND ", equal) + ")";
        return switch (binary.operator()) {
            case "=" -> Code.truth(all);
            case "<>" -> Code.truth("(NOT " + all + ")");
            case "IS", "IS NOT" ->
                Code.truth("((" + String.join(", ", a) + ") IS "
                        + (binary.operator().equals("IS") ? "NOT DISTINCT" : "DISTINCT") + " FROM ("
                        + String.join(", ", b) + "))");
            case "<", "<=", ">", ">=" ->
                Code.truth("((" + String.join(", ", a) + ") " + binary.operator() + " (" + String.join(", ", b) + "))");
            default -> throw PerfettoSqlException.at(binary.at(), "expected a comparison between rows");
        };
    }

    private Code match(Expr.Match match, Scope scope) {
        Code value = translate(match.left(), scope);
        Code pattern = translate(match.pattern(), scope);
        Code escape = match.escape() == null ? null : translate(match.escape(), scope);
        if (value.type() == SqlType.NULL || pattern.type() == SqlType.NULL) {
            return Code.truth("CAST(NULL AS BOOLEAN)");
        }
        Code truth = switch (match.operator()) {
            case "LIKE" -> Patterns.like(value, pattern, escape);
            case "GLOB" -> Patterns.glob(value, pattern);
            default -> Patterns.regexp(value, pattern);
        };
        return negated(match.not(), truth);
    }

    private static Code negated(boolean not, Code truth) {
        return not ? Code.truth("(NOT " + truth.sql() + ")") : truth;
    }

    private Code between(Expr.Between between, Scope scope) {
        Code value = translate(between.operand(), scope);
        Code low = Comparison.compare(value, ">=", translate(between.low(), scope));
        Code high = Comparison.compare(value, "<=", translate(between.high(), scope));
        return negated(between.not(), Code.truth("(" + low.sql() + " AND " + high.sql() + ")"));
    }

    private Code in(Expr.InList in, Scope scope) {
        if (in.operand() instanceof Expr.Row row) {
            List<String> equal = in.items().stream()
                    .map(item -> translate(new Expr.Binary(in.at(), "=", row, item), scope)
                            .sql())
                    .toList();
            return negated(in.not(), Code.truth(equal.isEmpty() ? "FALSE" : "(" + String.join(" OR ", equal) + ")"));
        }
        Code value = translate(in.operand(), scope).value();
        List<String> alike = new ArrayList<>();
        List<String> tests = new ArrayList<>();
        for (Expr item : in.items()) {
            Code code = translate(item, scope).value();
            boolean sameKind = value.type() == code.type()
                    || (value.type().isNumber() && code.type().isNumber())
                    || (value.type().isText() && code.type().isText())
                    || code.type() == SqlType.NULL;
            if (sameKind) {
                alike.add(code.sql());
            } else {
                tests.add(Comparison.compare(value, "=", new Code(code.sql(), code.type(), false))
                        .sql());
            }
        }
        if (!alike.isEmpty()) {
            tests.addFirst("(" + value.sql() + " IN (" + String.join(", ", alike) + "))");
        }
        return negated(in.not(), Code.truth(tests.isEmpty() ? "FALSE" : "(" + String.join(" OR ", tests) + ")"));
    }

    private Code in(Expr.InQuery in, Scope scope) {
        Rows rows = query(in.query(), scope);
        if (in.operand() instanceof Expr.Row row) {
            if (rows.columns().size() != row.items().size()) {
                throw columns(in.at(), row.items().size(), rows);
            }
            String values = translate(row.items(), scope).stream()
                    .map(code -> code.value().sql())
                    .collect(Collectors.joining(", "));
            return negated(in.not(), Code.truth("((" + values + ") IN (" + rows.sql() + "))"));
        }
        if (rows.columns().size() != 1) {
            throw columns(in.at(), 1, rows);
        }
        Code value = translate(in.operand(), scope).value();
        SqlType type = rows.columns().getFirst().type();
        boolean mixed = value.type().isText() != type.isText() && value.type() != SqlType.NULL && type != SqlType.NULL;
        if (!mixed) {
            return negated(in.not(), Code.truth("(" + value.sql() + " IN (" + rows.sql() + "))"));
        }
        String alias = translation.names.fresh("items");
        return negated(
                in.not(),
                Code.truth("(" + value.text().sql() + " IN (SELECT CAST(" + alias + ".item AS VARCHAR) FROM ("
                        + rows.sql() + ") AS " + alias + "(item)))"));
    }

    private static PerfettoSqlException columns(Token at, int expected, Rows rows) {
        return PerfettoSqlException.at(
                at,
                "expected a query of " + expected + " columns after IN, found "
                        + rows.columns().size());
    }

    private Code choice(Expr.Case choice, Scope scope) {
        Code operand = choice.operand() == null ? null : translate(choice.operand(), scope);
        List<String> conditions = new ArrayList<>();
        List<Code> results = new ArrayList<>();
        for (Expr.When when : choice.whens()) {
            Code condition = translate(when.condition(), scope);
            conditions.add(
                    operand == null
                            ? condition.condition()
                            : Comparison.compare(operand, "=", condition).sql());
            results.add(translate(when.result(), scope));
        }
        if (choice.otherwise() != null) {
            results.add(translate(choice.otherwise(), scope));
        }
        boolean truth = results.stream().allMatch(code -> code.type() == SqlType.BOOL);
        SqlType type = truth ? SqlType.BOOL : Functions.type(results);
        StringBuilder sql = new StringBuilder("(CASE");
        for (int i = 0; i < results.size(); i++) {
            Code result = truth ? results.get(i) : results.get(i).as(type);
            sql.append(i < conditions.size() ? " WHEN " + conditions.get(i) + " THEN " : " ELSE ")
                    .append(result.sql());
        }
        return Code.of(sql + " END)", type);
    }

    private Code cast(Expr.Cast cast, Scope scope) {
        Code operand = translate(cast.operand(), scope);
        SqlType type = SqlType.named(cast.type());
        Code code = type == SqlType.ANY ? operand.type().isText() ? operand.real() : operand.value() : operand.as(type);
        return new Code(code.sql(), code.type(), true);
    }

    private Code collate(Expr.Collate collate, Scope scope) {
        return collated(translate(collate.operand(), scope), collate);
    }

    /** The text to compare instead of another, so that equal ones are equal by the collation. */
    private static Code collated(Code operand, Expr.@Nullable Collate collate) {
        if (collate == null || operand.type().isNumber()) {
            return operand;
        }
        return switch (collate.collation()) {
            case "NOCASE" -> new Code("lower(" + operand.text().sql() + ")", SqlType.TEXT, operand.affinity());
            case "RTRIM" -> new Code("rtrim(" + operand.text().sql() + ")", SqlType.TEXT, operand.affinity());
            case "BINARY" -> operand;
            default -> throw PerfettoSqlException.at(collate.at(), "expected the collation NOCASE, BINARY or RTRIM");
        };
    }

    private Code call(Expr.Call call, Scope scope) {
        String name = call.name();
        boolean aggregate = Aggregates.isAggregate(call);
        if (aggregate || Aggregates.isWindowFunction(name)) {
            return aggregate(call, aggregate, scope);
        }
        if (call.star()
                || call.distinct()
                || call.filter() != null
                || call.window() != null
                || !call.order().isEmpty()) {
            throw PerfettoSqlException.at(call.at(), name + " is no aggregate: expected plain arguments");
        }
        Catalog.Function function = translation.definitions.function(name);
        if (function != null && function.columns() != null) {
            throw PerfettoSqlException.at(call.at(), name + " gives a table: expected it after FROM or JOIN");
        }
        if (function == null && !Functions.has(name)) {
            throw PerfettoSqlException.at(
                    call.at(),
                    "no such function: " + call.at().text()
                            + Suggestion.of(name, translation.definitions.functionNames()));
        }
        List<Code> arguments = translate(call.arguments(), scope);
        Code code =
                function == null ? Functions.call(call.at(), name, arguments) : written(call.at(), function, arguments);
        return new Code(translation.marks.mark(call.at()) + code.sql(), code.type(), code.affinity());
    }

    private Code aggregate(Expr.Call call, boolean aggregate, Scope scope) {
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

    private Code aggregateCode(Expr.Call call, Scope scope) {
        List<Code> arguments = translate(call.arguments(), scope);
        if (call.star() && !call.name().equals("count")) {
            throw PerfettoSqlException.at(call.at(), "expected an argument instead of * for " + call.name());
        }
        StringBuilder after = new StringBuilder();
        if (call.filter() != null) {
            after.append(" FILTER (WHERE ")
                    .append(translate(call.filter(), scope).condition())
                    .append(')');
        }
        if (call.window() != null) {
            after.append(" OVER (")
                    .append(window(call.at(), call.window(), scope, 0))
                    .append(')');
        }
        Aggregates.Tail tail =
                new Aggregates.Tail(call.distinct() ? "DISTINCT " : "", orderBy(call.order(), scope), after.toString());
        Code code = Aggregates.code(call, arguments, tail);
        return new Code(translation.marks.mark(call.at()) + code.sql(), code.type(), false);
    }

    private String window(Token at, Expr.Window window, Scope scope, int depth) {
        StringBuilder sql = new StringBuilder();
        if (window.base() != null) {
            Expr.Window base = scope.windows.get(Scope.lower(window.base().text()));
            if (base == null || depth > 20) {
                throw PerfettoSqlException.at(
                        window.base(), "no such window: " + window.base().text());
            }
            sql.append(window(at, base, scope, depth + 1));
        }
        if (!window.partition().isEmpty()) {
            sql.append(" PARTITION BY ")
                    .append(translate(window.partition(), scope).stream()
                            .map(code -> code.value().sql())
                            .collect(Collectors.joining(", ")));
        }
        sql.append(orderBy(window.order(), scope));
        if (!window.frame().isEmpty()) {
            sql.append(' ').append(window.frame());
        }
        return sql.toString();
    }

    private String orderBy(List<Query.Order> orders, Scope scope) {
        return orders.isEmpty()
                ? ""
                : " ORDER BY "
                        + orders.stream()
                                .map(order ->
                                        translate(order.by(), scope).value().sql() + direction(order))
                                .collect(Collectors.joining(", "));
    }

    /** NULL comes first in SQLite, and last where the order is reversed. */
    static String direction(Query.Order order) {
        String nulls = order.nulls().isEmpty() ? order.descending() ? "LAST" : "FIRST" : order.nulls();
        return (order.descending() ? " DESC" : " ASC") + " NULLS " + nulls;
    }

    /** A call of a function written in SQL: its body in the place of the call. */
    private Code written(Token call, Catalog.Function function, List<Code> arguments) {
        Scope scope = bodyScope(call, function, arguments);
        Code code;
        if (function.body().first() instanceof Query.Select select && isExpression(function.body(), select)) {
            code = translate(((Query.Column) select.items().getFirst()).value(), scope);
        } else {
            code = scalar(call, query(function.body(), scope));
        }
        SqlType type = function.type() == null ? SqlType.ANY : function.type();
        if (type == SqlType.ANY) {
            return code.type() == SqlType.TEXT ? new Code(code.sql(), SqlType.ANY, code.affinity()) : code;
        }
        boolean convert = (type.isText() != code.type().isText()) && code.type() != SqlType.NULL;
        return convert ? code.as(type) : code;
    }

    protected static Scope bodyScope(Token call, Catalog.Function function, List<Code> arguments) {
        List<Statement.Typed> parameters = function.parameters();
        if (arguments.size() != parameters.size()) {
            throw PerfettoSqlException.at(
                    call,
                    "wrong number of arguments to " + call.text().toLowerCase(Locale.ROOT) + ": expected "
                            + parameters.size() + ", found " + arguments.size());
        }
        Scope scope = new Scope(null);
        for (int i = 0; i < arguments.size(); i++) {
            Code argument = arguments.get(i);
            SqlType type = SqlType.named(parameters.get(i).type().text());
            Code code = argument.type() == SqlType.NULL && type != SqlType.ANY ? argument.as(type) : argument;
            scope.parameters.put(Scope.lower(parameters.get(i).name().text()), code);
        }
        return scope;
    }

    /** Whether a body is an expression and nothing else, so that it needs no query of its own. */
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
                && !Aggregates.in(column.value());
    }

    /** What a query gives. */
    record Rows(String sql, List<Column> columns, boolean affinity) {}

    /** A query within an expression; {@link QueryTranslator} knows how. */
    protected Rows query(Query query, Scope outer) {
        throw new AssertionError("an expression translator alone translates no queries: " + Map.of(query, outer));
    }
}
