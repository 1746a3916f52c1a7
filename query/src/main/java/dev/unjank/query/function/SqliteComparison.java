package dev.unjank.query.function;

import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Comparisons with SQLite's semantics. Between a number and a string, a column's type is applied to the other operand;
 * values that remain of different types are never equal, and numbers are less than strings.
 */
public final class SqliteComparison {
    private static final Pattern NUMBER =
            Pattern.compile("\\s*[-+]?([0-9]++[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?\\s*");

    private SqliteComparison() {}

    /** Translates a comparison. */
    public static TypedExpr compare(TypedExpr left, String operator, TypedExpr right) {
        return TypedExpr.truth(condition(left, operator, right));
    }

    private static Sql condition(TypedExpr left, String operator, TypedExpr right) {
        if (left.type() == SqlType.BOOL && right.type() == SqlType.BOOL) {
            return Sql.infix(left.sql(), operator, right.sql());
        }
        if (left.type() == SqlType.NULL || right.type() == SqlType.NULL) {
            return Sql.cast(Sql.NULL, SqlType.BOOL);
        }
        TypedExpr a = left.asResult();
        TypedExpr b = right.asResult();
        if (a.type().isNumber() && b.type().isText()) {
            return numberAndText(a, operator, b, false);
        }
        if (a.type().isText() && b.type().isNumber()) {
            return numberAndText(b, mirrored(operator), a, true);
        }
        if (isBlobAndOther(a, b)) {
            return constantUnlessNull(a, b, trueIfLess(operator) == (b.type() == SqlType.BLOB));
        }
        return Sql.infix(exact(a, b).sql(), operator, exact(b, a).sql());
    }

    /**
     * A value to be compared with an integer: a literal such as 1.0 as an integer, because both as floating-point lose
     * digits.
     */
    public static TypedExpr exact(TypedExpr value, TypedExpr other) {
        return other.type() == SqlType.INT
                        && value.sql().form() instanceof Sql.Real literal
                        && literal.value() == Math.rint(literal.value())
                        && Math.abs(literal.value()) < 0x1p63
                ? new TypedExpr(Sql.integer((long) literal.value()), SqlType.INT, value.affinity())
                : value;
    }

    /** Whether exactly one operand is a BLOB: such operands are never equal. */
    public static boolean isBlobAndOther(TypedExpr a, TypedExpr b) {
        return isBlobAndOther(a.type(), b.type());
    }

    public static boolean isBlobAndOther(SqlType a, SqlType b) {
        return (a == SqlType.BLOB) != (b == SqlType.BLOB) && a != SqlType.NULL && b != SqlType.NULL;
    }

    private static Sql numberAndText(TypedExpr number, String operator, TypedExpr text, boolean swapped) {
        String literal = text.sql().literal();
        if (literal != null && (number.affinity() || text.type() == SqlType.ANY)) {
            return NUMBER.matcher(literal).matches()
                    ? ordered(number.sql(), operator, numeric(literal.strip()), swapped)
                    : constantUnlessNull(number, text, trueIfLess(operator));
        }
        if (text.affinity() && !number.affinity() && text.type() == SqlType.TEXT) {
            return ordered(number.text().sql(), operator, text.sql(), swapped);
        }
        if (!number.affinity() && text.type() == SqlType.TEXT) {
            return constantUnlessNull(number, text, trueIfLess(operator));
        }
        return Sql.let(
                List.of(number.sql(), text.sql()),
                values -> numberAndAnyText(values.getFirst(), operator, values.getLast()));
    }

    private static Sql numberAndAnyText(Sql number, String operator, Sql text) {
        Sql numeric = Sql.macro("sqlite_numeric", text);
        return Sql.choice(
                Sql.isNotNull(numeric),
                Sql.infix(number, operator, numeric),
                Sql.infix(Sql.isNotNull(number), "AND", Sql.isNotNull(text)),
                Sql.truth(trueIfLess(operator)));
    }

    private static Sql numeric(String number) {
        boolean whole =
                number.chars().allMatch(c -> Character.isDigit(c) || c == '-' || c == '+') && number.length() <= 18;
        return whole ? Sql.integer(Long.parseLong(number)) : Sql.cast(Sql.text(number), SqlType.REAL);
    }

    private static Sql ordered(Sql left, String operator, Sql right, boolean swapped) {
        return swapped ? Sql.infix(right, mirrored(operator), left) : Sql.infix(left, operator, right);
    }

    private static Sql constantUnlessNull(TypedExpr a, TypedExpr b, boolean value) {
        return Sql.choice(Sql.infix(Sql.isNotNull(a.sql()), "AND", Sql.isNotNull(b.sql())), Sql.truth(value));
    }

    /** Whether the operator is true if the left operand is less. */
    private static boolean trueIfLess(String operator) {
        return operator.equals("<") || operator.equals("<=") || operator.equals("<>");
    }

    private static String mirrored(String operator) {
        return switch (operator) {
            case "<" -> ">";
            case "<=" -> ">=";
            case ">" -> "<";
            case ">=" -> "<=";
            default -> operator;
        };
    }

    /** SQLite's IS: equality in which NULL equals NULL. */
    public static TypedExpr isNotDistinct(TypedExpr left, TypedExpr right) {
        boolean comparable = (left.type().isText() == right.type().isText() && !isBlobAndOther(left, right))
                || left.type() == SqlType.NULL
                || right.type() == SqlType.NULL;
        Sql a = left.asResult().sql();
        Sql b = right.asResult().sql();
        return TypedExpr.truth(
                comparable
                        ? Sql.infix(a, "IS NOT DISTINCT FROM", b)
                        : Sql.call(
                                "coalesce",
                                condition(left, "=", right),
                                Sql.infix(Sql.isNull(a), "AND", Sql.isNull(b))));
    }
}
