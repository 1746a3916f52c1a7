package dev.unjank.query.resolve;

import dev.unjank.query.function.JsonFunctions;
import dev.unjank.query.function.PatternMatching;
import dev.unjank.query.function.ScalarFunctions;
import dev.unjank.query.function.SqliteComparison;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Translates operators, CASE, CAST, BETWEEN and IN. */
final class OperatorResolver {
    private static final String LEAST_LONG = "9223372036854775808";
    private static final Set<String> ORDERS = Set.of("<", "<=", ">", ">=");

    private final StatementContext context;
    private final ExpressionResolver expressions;
    private final QueryResolver queries;

    OperatorResolver(ExpressionResolver expressions, QueryResolver queries) {
        this.context = queries.context();
        this.expressions = expressions;
        this.queries = queries;
    }

    TypedExpr unary(Expr.Unary unary, Scope scope) {
        Expr inner = unary.operand();
        boolean leastLong = unary.operator().equals("-")
                && inner instanceof Expr.Literal literal
                && literal.at().kind() == Token.Kind.INTEGER
                && literal.at().text().equals(LEAST_LONG);
        if (leastLong) {
            return TypedExpr.of("CAST('-" + LEAST_LONG + "' AS BIGINT)", SqlType.INT);
        }
        TypedExpr operand = expressions.translate(inner, scope);
        return switch (unary.operator()) {
            case "NOT" -> TypedExpr.truth("(NOT " + operand.asCondition() + ")");
            case "IS NULL" -> TypedExpr.truth("(" + operand.sql() + " IS NULL)");
            case "NOT NULL" -> TypedExpr.truth("(" + operand.sql() + " IS NOT NULL)");
            case "-" ->
                TypedExpr.of(
                        "(" + context.mark(unary.at()) + "-" + operand.number().sql() + ")",
                        operand.number().type());
            case "~" -> TypedExpr.of("(~" + operand.integer().sql() + ")", SqlType.INT);
            default -> TypedExpr.of(operand.sql(), operand.type());
        };
    }

    TypedExpr binary(Expr.Binary binary, Scope scope) {
        if (binary.left() instanceof Expr.Row left && binary.right() instanceof Expr.Row right) {
            return rows(binary, left, right, scope);
        }
        Expr.Collate collation =
                binary.left() instanceof Expr.Collate c ? c : binary.right() instanceof Expr.Collate c ? c : null;
        TypedExpr left = collated(expressions.translate(binary.left(), scope), collation);
        TypedExpr right = collated(expressions.translate(binary.right(), scope), collation);
        String mark = context.mark(binary.at());
        return switch (binary.operator()) {
            case "AND", "OR" ->
                TypedExpr.truth("(" + left.asCondition() + " " + binary.operator() + " " + right.asCondition() + ")");
            case "=", "<>", "<", "<=", ">", ">=" -> SqliteComparison.compare(left, binary.operator(), right);
            case "IS", "IS NOT" -> is(binary, left, right);
            case "||" ->
                TypedExpr.of("(" + left.text().sql() + " || " + right.text().sql() + ")", SqlType.TEXT);
            case "->", "->>" -> JsonFunctions.member(binary.at(), mark, left, right);
            case "<<", ">>" -> shift(left.integer(), binary.operator().equals("<<"), right.integer());
            case "&", "|" ->
                TypedExpr.of(
                        "(" + left.integer().sql() + " " + mark + binary.operator() + " "
                                + right.integer().sql() + ")",
                        SqlType.INT);
            case "%" -> {
                String sql =
                        "(" + left.integer().sql() + " % " + right.integer().sql() + ")";
                yield left.type() == SqlType.REAL || right.type() == SqlType.REAL
                        ? TypedExpr.of("CAST(" + sql + " AS DOUBLE)", SqlType.REAL)
                        : TypedExpr.of(sql, SqlType.INT);
            }
            default -> arithmetic(left.number(), mark, binary.operator(), right.number());
        };
    }

    private static TypedExpr arithmetic(TypedExpr left, String mark, String operator, TypedExpr right) {
        SqlType type = left.type() == SqlType.NULL ? SqlType.INT : left.type();
        type = type.commonType(right.type());
        if (operator.equals("/")) {
            return type == SqlType.REAL
                    ? TypedExpr.of(
                            "(" + left.real().sql() + " / nullif("
                                    + right.real().sql() + ", 0))",
                            type)
                    : TypedExpr.of("(" + left.sql() + " // " + right.sql() + ")", type);
        }
        return TypedExpr.of("(" + left.sql() + " " + mark + operator + " " + right.sql() + ")", type);
    }

    /** Shifts with SQLite's semantics: arithmetic to the right, and a negative distance shifts in the other direction. */
    private static TypedExpr shift(TypedExpr value, boolean left, TypedExpr distance) {
        return TypedExpr.of(
                LetBinding.bind(List.of(value.sql(), distance.sql()), v -> shift(v.getFirst(), left, v.getLast())),
                SqlType.INT);
    }

    private static String shift(String value, boolean left, String by) {
        String to = left ? leftward(value, by) : rightward(value, by);
        String back = left ? rightward(value, "(-" + by + ")") : leftward(value, "(-" + by + ")");
        return "(CASE WHEN " + by + " >= 0 THEN " + to + " WHEN " + by + " < 0 THEN " + back + " END)";
    }

    private static String leftward(String value, String by) {
        return "CASE WHEN " + by + " > 63 THEN 0 ELSE CAST(CAST(" + value + " AS BIT) << CAST(" + within(by)
                + " AS INTEGER) AS BIGINT) END";
    }

    private static String rightward(String value, String by) {
        return "(" + value + " >> " + within(by) + ")";
    }

    private static String within(String by) {
        return "least(greatest(" + by + ", 0), 63)";
    }

    private static TypedExpr is(Expr.Binary binary, TypedExpr left, TypedExpr right) {
        boolean not = binary.operator().equals("IS NOT");
        boolean truth = binary.right() instanceof Expr.Literal literal
                && (literal.at().isWord("TRUE") || literal.at().isWord("FALSE"));
        if (truth) {
            String wanted = right.sql();
            return TypedExpr.truth(
                    "(" + left.asCondition() + " IS " + (not ? "DISTINCT FROM " : "NOT DISTINCT FROM ") + wanted + ")");
        }
        TypedExpr same = SqliteComparison.isNotDistinct(left, right);
        return not ? TypedExpr.truth("(NOT " + same.sql() + ")") : same;
    }

    private TypedExpr rows(Expr.Binary binary, Expr.Row left, Expr.Row right, Scope scope) {
        if (left.items().size() != right.items().size()) {
            throw PerfettoSqlException.at(
                    binary.at(),
                    "expected rows of equal length, found " + left.items().size() + " and "
                            + right.items().size() + " values");
        }
        List<String> equal = new ArrayList<>();
        List<String> strict = new ArrayList<>();
        String last = "";
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        boolean order = ORDERS.contains(binary.operator());
        for (int i = 0; i < left.items().size(); i++) {
            TypedExpr l = expressions.translate(left.items().get(i), scope);
            TypedExpr r = expressions.translate(right.items().get(i), scope);
            if (order) {
                strict.add(SqliteComparison.compare(l, binary.operator().substring(0, 1), r)
                        .sql());
                last = SqliteComparison.compare(l, binary.operator(), r).sql();
            }
            equal.add(SqliteComparison.compare(l, "=", r).sql());
            a.add(l.asResult().sql());
            b.add(r.asResult().sql());
        }
        String all = "(" + String.join(" AND ", equal) + ")";
        return switch (binary.operator()) {
            case "=" -> TypedExpr.truth(all);
            case "<>" -> TypedExpr.truth("(NOT " + all + ")");
            case "IS", "IS NOT" ->
                TypedExpr.truth("((" + String.join(", ", a) + ") IS "
                        + (binary.operator().equals("IS") ? "NOT DISTINCT" : "DISTINCT") + " FROM ("
                        + String.join(", ", b) + "))");
            case "<", "<=", ">", ">=" -> TypedExpr.truth(ordered(strict, equal, last));
            default -> throw PerfettoSqlException.at(binary.at(), "expected a comparison between rows");
        };
    }

    /** Lexicographic comparison; unknown if NULL precedes or equals the first difference. */
    private static String ordered(List<String> strict, List<String> equal, String last) {
        String ordered = last;
        for (int i = strict.size() - 2; i >= 0; i--) {
            ordered = "(" + strict.get(i) + " OR (" + equal.get(i) + " AND " + ordered + "))";
        }
        return ordered;
    }

    TypedExpr match(Expr.Match match, Scope scope) {
        TypedExpr value = expressions.translate(match.left(), scope);
        TypedExpr pattern = expressions.translate(match.pattern(), scope);
        TypedExpr escape = match.escape() == null ? null : expressions.translate(match.escape(), scope);
        if (value.type() == SqlType.NULL || pattern.type() == SqlType.NULL) {
            return TypedExpr.truth("CAST(NULL AS BOOLEAN)");
        }
        TypedExpr truth = switch (match.operator()) {
            case "LIKE" -> PatternMatching.like(value, pattern, escape);
            case "GLOB" -> PatternMatching.glob(value, pattern);
            default ->
                TypedExpr.truth("(" + context.mark(match.at())
                        + PatternMatching.regexp(value, pattern).sql() + ")");
        };
        return negated(match.not(), truth);
    }

    private static TypedExpr negated(boolean not, TypedExpr truth) {
        return not ? TypedExpr.truth("(NOT " + truth.sql() + ")") : truth;
    }

    TypedExpr between(Expr.Between between, Scope scope) {
        TypedExpr value = expressions.translate(between.operand(), scope);
        TypedExpr low = SqliteComparison.compare(value, ">=", expressions.translate(between.low(), scope));
        TypedExpr high = SqliteComparison.compare(value, "<=", expressions.translate(between.high(), scope));
        return negated(between.not(), TypedExpr.truth("(" + low.sql() + " AND " + high.sql() + ")"));
    }

    TypedExpr in(Expr.InList in, Scope scope) {
        if (in.operand() instanceof Expr.Row row) {
            List<String> equal = in.items().stream()
                    .map(item -> expressions
                            .translate(new Expr.Binary(in.at(), "=", row, item), scope)
                            .sql())
                    .toList();
            return negated(
                    in.not(), TypedExpr.truth(equal.isEmpty() ? "FALSE" : "(" + String.join(" OR ", equal) + ")"));
        }
        TypedExpr value = expressions.translate(in.operand(), scope).asResult();
        List<String> alike = new ArrayList<>();
        List<String> tests = new ArrayList<>();
        for (Expr item : in.items()) {
            TypedExpr code = expressions.translate(item, scope).asResult();
            boolean sameKind = value.type() == code.type()
                    || (value.type().isNumber() && code.type().isNumber())
                    || (value.type().isText() && code.type().isText())
                    || code.type() == SqlType.NULL;
            if (sameKind) {
                alike.add(code.sql());
            } else {
                tests.add(SqliteComparison.compare(value, "=", new TypedExpr(code.sql(), code.type(), false))
                        .sql());
            }
        }
        if (!alike.isEmpty()) {
            tests.addFirst("(" + value.sql() + " IN (" + String.join(", ", alike) + "))");
        }
        return negated(in.not(), TypedExpr.truth(tests.isEmpty() ? "FALSE" : "(" + String.join(" OR ", tests) + ")"));
    }

    TypedExpr in(Expr.InQuery in, Scope scope) {
        TypedQuery rows = queries.query(in.query(), scope);
        if (in.operand() instanceof Expr.Row row) {
            if (rows.columns().size() != row.items().size()) {
                throw columns(in.at(), row.items().size(), rows);
            }
            String values = expressions.translate(row.items(), scope).stream()
                    .map(code -> code.asResult().sql())
                    .collect(Collectors.joining(", "));
            return negated(in.not(), TypedExpr.truth("((" + values + ") IN (" + rows.sql() + "))"));
        }
        if (rows.columns().size() != 1) {
            throw columns(in.at(), 1, rows);
        }
        TypedExpr value = expressions.translate(in.operand(), scope).asResult();
        SqlType type = rows.columns().getFirst().type();
        boolean mixed = value.type().isText() != type.isText() && value.type() != SqlType.NULL && type != SqlType.NULL;
        if (SqliteComparison.isBlobAndOther(value, TypedExpr.of("", type))) {
            String alias = context.names.fresh("items");
            return negated(
                    in.not(),
                    TypedExpr.truth("(CASE WHEN " + value.sql() + " IS NOT NULL THEN 0 END IN (SELECT CASE WHEN "
                            + alias + ".item IS NOT NULL THEN 1 END FROM (" + rows.sql() + ") AS " + alias
                            + "(item)))"));
        }
        if (!mixed) {
            return negated(in.not(), TypedExpr.truth("(" + value.sql() + " IN (" + rows.sql() + "))"));
        }
        String alias = context.names.fresh("items");
        return negated(
                in.not(),
                TypedExpr.truth("(" + value.text().sql() + " IN (SELECT CAST(" + alias + ".item AS VARCHAR) FROM ("
                        + rows.sql() + ") AS " + alias + "(item)))"));
    }

    private static PerfettoSqlException columns(Token at, int expected, TypedQuery rows) {
        return PerfettoSqlException.at(
                at,
                "expected a query of " + expected + (expected == 1 ? " column" : " columns") + " after IN, found "
                        + rows.columns().size());
    }

    TypedExpr choice(Expr.Case choice, Scope scope) {
        TypedExpr operand = choice.operand() == null ? null : expressions.translate(choice.operand(), scope);
        List<String> conditions = new ArrayList<>();
        List<TypedExpr> results = new ArrayList<>();
        for (Expr.When when : choice.whens()) {
            TypedExpr condition = expressions.translate(when.condition(), scope);
            conditions.add(
                    operand == null
                            ? condition.asCondition()
                            : SqliteComparison.compare(operand, "=", condition).sql());
            results.add(expressions.translate(when.result(), scope));
        }
        if (choice.otherwise() != null) {
            results.add(expressions.translate(choice.otherwise(), scope));
        }
        boolean truth = results.stream().allMatch(code -> code.type() == SqlType.BOOL);
        SqlType type = truth ? SqlType.BOOL : ScalarFunctions.commonType(results);
        StringBuilder sql = new StringBuilder("(CASE");
        for (int i = 0; i < results.size(); i++) {
            TypedExpr result = truth ? results.get(i) : results.get(i).convertTo(type);
            sql.append(i < conditions.size() ? " WHEN " + conditions.get(i) + " THEN " : " ELSE ")
                    .append(result.sql());
        }
        return TypedExpr.of(sql + " END)", type);
    }

    TypedExpr cast(Expr.Cast cast, Scope scope) {
        TypedExpr operand = expressions.translate(cast.operand(), scope);
        SqlType type = SqlType.ofName(cast.type());
        TypedExpr code = type == SqlType.ANY
                ? operand.type().isText() ? operand.real() : operand.asResult()
                : operand.convertTo(type);
        return new TypedExpr(code.sql(), code.type(), true);
    }

    TypedExpr collate(Expr.Collate collate, Scope scope) {
        return collated(expressions.translate(collate.operand(), scope), collate);
    }

    /** The string to compare under a collation. */
    private static TypedExpr collated(TypedExpr operand, Expr.@Nullable Collate collate) {
        if (collate == null || operand.type().isNumber()) {
            return operand;
        }
        return switch (collate.collation()) {
            case "NOCASE" ->
                new TypedExpr(PatternMatching.lower(operand.text().sql()), SqlType.TEXT, operand.affinity());
            case "RTRIM" -> new TypedExpr("rtrim(" + operand.text().sql() + ")", SqlType.TEXT, operand.affinity());
            case "BINARY" -> operand;
            default -> throw PerfettoSqlException.at(collate.at(), "expected the collation NOCASE, BINARY or RTRIM");
        };
    }
}
