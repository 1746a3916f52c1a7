package dev.unjank.query.resolve;

import dev.unjank.query.function.JsonFunctions;
import dev.unjank.query.function.PatternMatching;
import dev.unjank.query.function.ScalarFunctions;
import dev.unjank.query.function.SqliteComparison;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Translates operators, CASE, CAST, BETWEEN and IN. */
final class OperatorResolver {
    private static final String LEAST_LONG = "9223372036854775808";

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
            return TypedExpr.of(Sql.integer(Long.MIN_VALUE), SqlType.INT);
        }
        TypedExpr operand = expressions.translate(inner, scope);
        return switch (unary.operator()) {
            case "NOT" -> TypedExpr.truth(Sql.not(operand.asCondition()));
            case "IS NULL" -> TypedExpr.truth(Sql.isNull(operand.sql()));
            case "NOT NULL" -> TypedExpr.truth(Sql.isNotNull(operand.sql()));
            case "-" -> {
                TypedExpr number = operand.number();
                yield TypedExpr.of(Sql.prefix("-", number.sql()), number.type()).at(context.position(unary.at()));
            }
            case "~" -> TypedExpr.of(Sql.prefix("~", operand.integer().sql()), SqlType.INT);
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
        Token at = context.position(binary.at());
        String operator = binary.operator();
        return switch (operator) {
            case "AND", "OR" -> TypedExpr.truth(Sql.infix(left.asCondition(), operator, right.asCondition()));
            case "=", "<>", "<", "<=", ">", ">=" -> SqliteComparison.compare(left, operator, right);
            case "IS", "IS NOT" -> is(binary, left, right);
            case "||" ->
                TypedExpr.of(Sql.infix(left.text().sql(), "||", right.text().sql()), SqlType.TEXT);
            case "->", "->>" ->
                JsonFunctions.member(binary.at(), left.text().sql().at(at), right);
            case "<<", ">>" -> {
                String shift = operator.equals("<<") ? "sqlite_shift_left" : "sqlite_shift_right";
                yield TypedExpr.of(
                        Sql.macro(shift, left.integer().sql(), right.integer().sql()), SqlType.INT);
            }
            case "&", "|" ->
                TypedExpr.of(
                        Sql.infix(
                                        left.integer().sql(),
                                        operator,
                                        right.integer().sql())
                                .at(at),
                        SqlType.INT);
            case "%" -> {
                Sql rest = Sql.infix(left.integer().sql(), "%", right.integer().sql());
                yield left.type() == SqlType.REAL || right.type() == SqlType.REAL
                        ? TypedExpr.of(Sql.cast(rest, SqlType.REAL), SqlType.REAL)
                        : TypedExpr.of(rest, SqlType.INT);
            }
            case "/" -> divided(left.number(), right.number());
            default -> {
                TypedExpr a = left.number();
                TypedExpr b = right.number();
                yield TypedExpr.of(Sql.infix(a.sql(), operator, b.sql()).at(at), arithmeticType(a, b));
            }
        };
    }

    private static SqlType arithmeticType(TypedExpr left, TypedExpr right) {
        return (left.type() == SqlType.NULL ? SqlType.INT : left.type()).commonType(right.type());
    }

    private static TypedExpr divided(TypedExpr left, TypedExpr right) {
        SqlType type = arithmeticType(left, right);
        Sql quotient = type == SqlType.REAL
                ? Sql.infix(
                        left.real().sql(), "/", Sql.call("nullif", right.real().sql(), Sql.bare(0)))
                : Sql.infix(left.sql(), "//", right.sql());
        return TypedExpr.of(quotient, type);
    }

    private static TypedExpr is(Expr.Binary binary, TypedExpr left, TypedExpr right) {
        boolean not = binary.operator().equals("IS NOT");
        boolean truth = binary.right() instanceof Expr.Literal literal
                && (literal.at().isWord("TRUE") || literal.at().isWord("FALSE"));
        if (truth) {
            return TypedExpr.truth(Sql.infix(left.asCondition(), distinction(!not), right.sql()));
        }
        return negated(not, SqliteComparison.isNotDistinct(left, right));
    }

    private static String distinction(boolean equal) {
        return equal ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM";
    }

    private TypedExpr rows(Expr.Binary binary, Expr.Row left, Expr.Row right, Scope scope) {
        if (left.items().size() != right.items().size()) {
            throw PerfettoSqlException.at(
                    binary.at(),
                    "expected rows of equal length, found " + left.items().size() + " and "
                            + right.items().size() + " values");
        }
        List<TypedExpr> a = expressions.translate(left.items(), scope);
        List<TypedExpr> b = expressions.translate(right.items(), scope);
        String operator = binary.operator();
        return TypedExpr.truth(
                switch (operator) {
                    case "=" -> equal(a, b);
                    case "<>" -> Sql.not(equal(a, b));
                    case "IS", "IS NOT" -> Sql.infix(row(a), distinction(operator.equals("IS")), row(b));
                    case "<", "<=", ">", ">=" -> ordered(a, operator, b);
                    default -> throw PerfettoSqlException.at(binary.at(), "expected a comparison between rows");
                });
    }

    private static Sql row(List<TypedExpr> values) {
        return Sql.row(values.stream().map(value -> value.asResult().sql()).toList());
    }

    private static Sql equal(List<TypedExpr> a, List<TypedExpr> b) {
        return Sql.all(
                IntStream.range(0, a.size())
                        .mapToObj(i -> SqliteComparison.compare(a.get(i), "=", b.get(i))
                                .sql())
                        .toList(),
                "AND");
    }

    /** Lexicographic comparison; unknown if NULL precedes or equals the first difference. */
    private static Sql ordered(List<TypedExpr> a, String operator, List<TypedExpr> b) {
        String strict = operator.substring(0, 1);
        int last = a.size() - 1;
        Sql ordered =
                SqliteComparison.compare(a.get(last), operator, b.get(last)).sql();
        for (int i = last - 1; i >= 0; i--) {
            Sql before = SqliteComparison.compare(a.get(i), strict, b.get(i)).sql();
            Sql same = SqliteComparison.compare(a.get(i), "=", b.get(i)).sql();
            ordered = Sql.infix(before, "OR", Sql.infix(same, "AND", ordered));
        }
        return ordered;
    }

    TypedExpr match(Expr.Match match, Scope scope) {
        TypedExpr value = expressions.translate(match.left(), scope);
        TypedExpr pattern = expressions.translate(match.pattern(), scope);
        TypedExpr escape = match.escape() == null ? null : expressions.translate(match.escape(), scope);
        if (value.type() == SqlType.NULL || pattern.type() == SqlType.NULL) {
            return TypedExpr.truth(Sql.cast(Sql.NULL, SqlType.BOOL));
        }
        TypedExpr truth = switch (match.operator()) {
            case "LIKE" -> PatternMatching.like(value, pattern, escape);
            case "GLOB" -> PatternMatching.glob(value, pattern);
            default -> PatternMatching.regexp(value, pattern).at(context.position(match.at()));
        };
        return negated(match.not(), truth);
    }

    private static TypedExpr negated(boolean not, TypedExpr truth) {
        return not ? TypedExpr.truth(Sql.not(truth.sql())) : truth;
    }

    private static TypedExpr negated(boolean not, Sql truth) {
        return negated(not, TypedExpr.truth(truth));
    }

    TypedExpr between(Expr.Between between, Scope scope) {
        TypedExpr value = expressions.translate(between.operand(), scope);
        TypedExpr low = SqliteComparison.compare(value, ">=", expressions.translate(between.low(), scope));
        TypedExpr high = SqliteComparison.compare(value, "<=", expressions.translate(between.high(), scope));
        return negated(between.not(), Sql.infix(low.sql(), "AND", high.sql()));
    }

    TypedExpr in(Expr.InList in, Scope scope) {
        if (in.operand() instanceof Expr.Row row) {
            List<Sql> equal = in.items().stream()
                    .map(item -> expressions
                            .translate(new Expr.Binary(in.at(), "=", row, item), scope)
                            .sql())
                    .toList();
            return negated(in.not(), equal.isEmpty() ? Sql.FALSE : Sql.all(equal, "OR"));
        }
        TypedExpr value = expressions.translate(in.operand(), scope).asResult();
        List<Sql> alike = new ArrayList<>();
        // apart from integers, which DuckDB would otherwise compare as floating-point numbers
        List<Sql> reals = new ArrayList<>();
        List<Sql> tests = new ArrayList<>();
        for (Expr item : in.items()) {
            TypedExpr code =
                    SqliteComparison.exact(expressions.translate(item, scope).asResult(), value);
            boolean sameKind = value.type() == code.type()
                    || (value.type().isNumber() && code.type().isNumber())
                    || (value.type().isText() && code.type().isText())
                    || code.type() == SqlType.NULL;
            if (sameKind) {
                (code.type() == SqlType.REAL ? reals : alike).add(code.sql());
            } else {
                tests.add(SqliteComparison.compare(value, "=", new TypedExpr(code.sql(), code.type(), false))
                        .sql());
            }
        }
        for (List<Sql> items : List.of(alike, reals)) {
            if (!items.isEmpty()) {
                tests.addFirst(Sql.in(value.sql(), items));
            }
        }
        return negated(in.not(), tests.isEmpty() ? Sql.FALSE : Sql.all(tests, "OR"));
    }

    TypedExpr in(Expr.InQuery in, Scope scope) {
        TypedQuery rows = queries.query(in.query(), scope);
        if (in.operand() instanceof Expr.Row row) {
            if (rows.columns().size() != row.items().size()) {
                throw columns(in.at(), row.items().size(), rows);
            }
            return negated(in.not(), Sql.in(row(expressions.translate(row.items(), scope)), rows.query()));
        }
        if (rows.columns().size() != 1) {
            throw columns(in.at(), 1, rows);
        }
        TypedExpr value = expressions.translate(in.operand(), scope).asResult();
        SqlType type = rows.columns().getFirst().type();
        if (SqliteComparison.isBlobAndOther(value.type(), type)) {
            // never equal, but unknown if one is NULL
            Sql unequal = Sql.choice(Sql.isNotNull(value.sql()), Sql.bare(0));
            return negated(
                    in.not(), Sql.in(unequal, mapped(rows, item -> Sql.choice(Sql.isNotNull(item), Sql.bare(1)))));
        }
        boolean mixed = value.type().isText() != type.isText() && value.type() != SqlType.NULL && type != SqlType.NULL;
        return negated(
                in.not(),
                mixed
                        ? Sql.in(value.text().sql(), mapped(rows, item -> Sql.cast(item, SqlType.TEXT)))
                        : Sql.in(value.sql(), rows.query()));
    }

    /** A query of one column with an expression of this column instead. */
    private SqlQuery mapped(TypedQuery rows, UnaryOperator<Sql> expression) {
        String alias = context.names.fresh("items");
        return SqlQuery.Select.of(
                List.of(new SqlQuery.Item(expression.apply(Sql.column(alias, "item")), "item")),
                SqlQuery.Nested.of(rows.query(), alias, List.of("item")));
    }

    private static PerfettoSqlException columns(Token at, int expected, TypedQuery rows) {
        return PerfettoSqlException.at(
                at,
                "expected a query of " + expected + (expected == 1 ? " column" : " columns") + " after IN, found "
                        + rows.columns().size());
    }

    TypedExpr choice(Expr.Case choice, Scope scope) {
        TypedExpr operand = choice.operand() == null ? null : expressions.translate(choice.operand(), scope);
        List<Sql> conditions = new ArrayList<>();
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
        List<Sql> parts = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            if (i < conditions.size()) {
                parts.add(conditions.get(i));
            }
            TypedExpr result = truth ? results.get(i) : results.get(i).convertTo(type);
            parts.add(result.sql());
        }
        return TypedExpr.of(Sql.choice(parts), type);
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
                new TypedExpr(Sql.macro("sqlite_lower", operand.text().sql()), SqlType.TEXT, operand.affinity());
            case "RTRIM" -> new TypedExpr(Sql.call("rtrim", operand.text().sql()), SqlType.TEXT, operand.affinity());
            case "BINARY" -> operand;
            default -> throw PerfettoSqlException.at(collate.at(), "expected the collation NOCASE, BINARY or RTRIM");
        };
    }
}
