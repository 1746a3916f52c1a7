package dev.unjank.query.front;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Operators into the engine's SQL, and what is written like one: CASE, CAST, BETWEEN, IN. */
final class OperatorTranslator {
    private static final String LEAST_LONG = "9223372036854775808";
    private static final Set<String> ORDERS = Set.of("<", "<=", ">", ">=");

    private final Translation translation;
    private final ExpressionTranslator expressions;
    private final QueryTranslator queries;

    OperatorTranslator(ExpressionTranslator expressions, QueryTranslator queries) {
        this.translation = queries.translation();
        this.expressions = expressions;
        this.queries = queries;
    }

    Code unary(Expr.Unary unary, Scope scope) {
        Expr inner = unary.operand();
        boolean leastLong = unary.operator().equals("-")
                && inner instanceof Expr.Literal literal
                && literal.at().kind() == Token.Kind.INTEGER
                && literal.at().text().equals(LEAST_LONG);
        if (leastLong) {
            return Code.of("CAST('-" + LEAST_LONG + "' AS BIGINT)", SqlType.INT);
        }
        Code operand = expressions.translate(inner, scope);
        return switch (unary.operator()) {
            case "NOT" -> Code.truth("(NOT " + operand.condition() + ")");
            case "IS NULL" -> Code.truth("(" + operand.sql() + " IS NULL)");
            case "NOT NULL" -> Code.truth("(" + operand.sql() + " IS NOT NULL)");
            case "-" ->
                Code.of(
                        "(" + translation.mark(unary.at()) + "-"
                                + operand.number().sql() + ")",
                        operand.number().type());
            case "~" -> Code.of("(~" + operand.integer().sql() + ")", SqlType.INT);
            default -> Code.of(operand.sql(), operand.type());
        };
    }

    Code binary(Expr.Binary binary, Scope scope) {
        if (binary.left() instanceof Expr.Row left && binary.right() instanceof Expr.Row right) {
            return rows(binary, left, right, scope);
        }
        Expr.Collate collation =
                binary.left() instanceof Expr.Collate c ? c : binary.right() instanceof Expr.Collate c ? c : null;
        Code left = collated(expressions.translate(binary.left(), scope), collation);
        Code right = collated(expressions.translate(binary.right(), scope), collation);
        String mark = translation.mark(binary.at());
        return switch (binary.operator()) {
            case "AND", "OR" ->
                Code.truth("(" + left.condition() + " " + binary.operator() + " " + right.condition() + ")");
            case "=", "<>", "<", "<=", ">", ">=" -> Comparison.compare(left, binary.operator(), right);
            case "IS", "IS NOT" -> is(binary, left, right);
            case "||" -> Code.of("(" + left.text().sql() + " || " + right.text().sql() + ")", SqlType.TEXT);
            case "->", "->>" -> Json.member(binary.at(), mark, left, right);
            case "<<", ">>" -> shift(left.integer(), binary.operator().equals("<<"), right.integer());
            case "&", "|" ->
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

    /** Bits that leave are gone, a negative distance is one the other way, and to the right the sign comes in. */
    private static Code shift(Code value, boolean left, Code distance) {
        return Code.of(
                Once.in(List.of(value.sql(), distance.sql()), v -> shift(v.getFirst(), left, v.getLast())),
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
        List<String> strict = new ArrayList<>();
        String last = "";
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        boolean order = ORDERS.contains(binary.operator());
        for (int i = 0; i < left.items().size(); i++) {
            Code l = expressions.translate(left.items().get(i), scope);
            Code r = expressions.translate(right.items().get(i), scope);
            if (order) {
                strict.add(Comparison.compare(l, binary.operator().substring(0, 1), r)
                        .sql());
                last = Comparison.compare(l, binary.operator(), r).sql();
            }
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
            case "<", "<=", ">", ">=" -> Code.truth(ordered(strict, equal, last));
            default -> throw PerfettoSqlException.at(binary.at(), "expected a comparison between rows");
        };
    }

    /** The first values that differ decide; where NULL is among those up to there, nothing is known. */
    private static String ordered(List<String> strict, List<String> equal, String last) {
        String ordered = last;
        for (int i = strict.size() - 2; i >= 0; i--) {
            ordered = "(" + strict.get(i) + " OR (" + equal.get(i) + " AND " + ordered + "))";
        }
        return ordered;
    }

    Code match(Expr.Match match, Scope scope) {
        Code value = expressions.translate(match.left(), scope);
        Code pattern = expressions.translate(match.pattern(), scope);
        Code escape = match.escape() == null ? null : expressions.translate(match.escape(), scope);
        if (value.type() == SqlType.NULL || pattern.type() == SqlType.NULL) {
            return Code.truth("CAST(NULL AS BOOLEAN)");
        }
        Code truth = switch (match.operator()) {
            case "LIKE" -> Patterns.like(value, pattern, escape);
            case "GLOB" -> Patterns.glob(value, pattern);
            default ->
                Code.truth("(" + translation.mark(match.at())
                        + Patterns.regexp(value, pattern).sql() + ")");
        };
        return negated(match.not(), truth);
    }

    private static Code negated(boolean not, Code truth) {
        return not ? Code.truth("(NOT " + truth.sql() + ")") : truth;
    }

    Code between(Expr.Between between, Scope scope) {
        Code value = expressions.translate(between.operand(), scope);
        Code low = Comparison.compare(value, ">=", expressions.translate(between.low(), scope));
        Code high = Comparison.compare(value, "<=", expressions.translate(between.high(), scope));
        return negated(between.not(), Code.truth("(" + low.sql() + " AND " + high.sql() + ")"));
    }

    Code in(Expr.InList in, Scope scope) {
        if (in.operand() instanceof Expr.Row row) {
            List<String> equal = in.items().stream()
                    .map(item -> expressions
                            .translate(new Expr.Binary(in.at(), "=", row, item), scope)
                            .sql())
                    .toList();
            return negated(in.not(), Code.truth(equal.isEmpty() ? "FALSE" : "(" + String.join(" OR ", equal) + ")"));
        }
        Code value = expressions.translate(in.operand(), scope).value();
        List<String> alike = new ArrayList<>();
        List<String> tests = new ArrayList<>();
        for (Expr item : in.items()) {
            Code code = expressions.translate(item, scope).value();
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

    Code in(Expr.InQuery in, Scope scope) {
        QueryCode rows = queries.query(in.query(), scope);
        if (in.operand() instanceof Expr.Row row) {
            if (rows.columns().size() != row.items().size()) {
                throw columns(in.at(), row.items().size(), rows);
            }
            String values = expressions.translate(row.items(), scope).stream()
                    .map(code -> code.value().sql())
                    .collect(Collectors.joining(", "));
            return negated(in.not(), Code.truth("((" + values + ") IN (" + rows.sql() + "))"));
        }
        if (rows.columns().size() != 1) {
            throw columns(in.at(), 1, rows);
        }
        Code value = expressions.translate(in.operand(), scope).value();
        SqlType type = rows.columns().getFirst().type();
        boolean mixed = value.type().isText() != type.isText() && value.type() != SqlType.NULL && type != SqlType.NULL;
        if (Comparison.isBlobAndOther(value, Code.of("", type))) {
            String alias = translation.names.fresh("items");
            return negated(
                    in.not(),
                    Code.truth("(CASE WHEN " + value.sql() + " IS NOT NULL THEN 0 END IN (SELECT CASE WHEN " + alias
                            + ".item IS NOT NULL THEN 1 END FROM (" + rows.sql() + ") AS " + alias + "(item)))"));
        }
        if (!mixed) {
            return negated(in.not(), Code.truth("(" + value.sql() + " IN (" + rows.sql() + "))"));
        }
        String alias = translation.names.fresh("items");
        return negated(
                in.not(),
                Code.truth("(" + value.text().sql() + " IN (SELECT CAST(" + alias + ".item AS VARCHAR) FROM ("
                        + rows.sql() + ") AS " + alias + "(item)))"));
    }

    private static PerfettoSqlException columns(Token at, int expected, QueryCode rows) {
        return PerfettoSqlException.at(
                at,
                "expected a query of " + expected + (expected == 1 ? " column" : " columns") + " after IN, found "
                        + rows.columns().size());
    }

    Code choice(Expr.Case choice, Scope scope) {
        Code operand = choice.operand() == null ? null : expressions.translate(choice.operand(), scope);
        List<String> conditions = new ArrayList<>();
        List<Code> results = new ArrayList<>();
        for (Expr.When when : choice.whens()) {
            Code condition = expressions.translate(when.condition(), scope);
            conditions.add(
                    operand == null
                            ? condition.condition()
                            : Comparison.compare(operand, "=", condition).sql());
            results.add(expressions.translate(when.result(), scope));
        }
        if (choice.otherwise() != null) {
            results.add(expressions.translate(choice.otherwise(), scope));
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

    Code cast(Expr.Cast cast, Scope scope) {
        Code operand = expressions.translate(cast.operand(), scope);
        SqlType type = SqlType.named(cast.type());
        Code code = type == SqlType.ANY ? operand.type().isText() ? operand.real() : operand.value() : operand.as(type);
        return new Code(code.sql(), code.type(), true);
    }

    Code collate(Expr.Collate collate, Scope scope) {
        return collated(expressions.translate(collate.operand(), scope), collate);
    }

    /** The text to compare instead of another, so that equal ones are equal by the collation. */
    private static Code collated(Code operand, Expr.@Nullable Collate collate) {
        if (collate == null || operand.type().isNumber()) {
            return operand;
        }
        return switch (collate.collation()) {
            case "NOCASE" -> new Code(Patterns.lower(operand.text().sql()), SqlType.TEXT, operand.affinity());
            case "RTRIM" -> new Code("rtrim(" + operand.text().sql() + ")", SqlType.TEXT, operand.affinity());
            case "BINARY" -> operand;
            default -> throw PerfettoSqlException.at(collate.at(), "expected the collation NOCASE, BINARY or RTRIM");
        };
    }
}
