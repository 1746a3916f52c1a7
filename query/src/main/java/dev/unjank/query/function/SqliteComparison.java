package dev.unjank.query.function;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons with SQLite's semantics. Between a number and a string, a column's type is applied to the other operand; values
 * that remain of different types are never equal, and numbers are less than strings.
 */
public final class SqliteComparison {
    private static final Pattern NUMBER =
            Pattern.compile("\\s*[-+]?([0-9]++[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?\\s*");

    private SqliteComparison() {}

    /**
     * Translates a comparison.
     *
     * @param operator =, &lt;&gt;, &lt;, &lt;=, &gt; or &gt;=
     */
    public static TypedExpr compare(TypedExpr left, String operator, TypedExpr right) {
        if (left.type() == SqlType.BOOL && right.type() == SqlType.BOOL) {
            return truth(left.sql(), operator, right.sql());
        }
        if (left.type() == SqlType.NULL || right.type() == SqlType.NULL) {
            return TypedExpr.truth("CAST(NULL AS BOOLEAN)");
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
        return truth(a.sql(), operator, b.sql());
    }

    /** Whether exactly one operand is a BLOB: such operands are never equal. */
    public static boolean isBlobAndOther(TypedExpr a, TypedExpr b) {
        return (a.type() == SqlType.BLOB) != (b.type() == SqlType.BLOB)
                && a.type() != SqlType.NULL
                && b.type() != SqlType.NULL;
    }

    private static TypedExpr truth(String left, String operator, String right) {
        return TypedExpr.truth("(" + left + " " + operator + " " + right + ")");
    }

    private static TypedExpr numberAndText(TypedExpr number, String operator, TypedExpr text, boolean swapped) {
        String literal = literal(text.sql());
        if (literal != null && (number.affinity() || text.type() == SqlType.ANY)) {
            return NUMBER.matcher(literal).matches()
                    ? ordered(number.sql(), operator, numeric(literal), swapped)
                    : constantUnlessNull(number, text, trueIfLess(operator));
        }
        if (text.affinity() && !number.affinity() && text.type() == SqlType.TEXT) {
            return ordered(number.text().sql(), operator, text.sql(), swapped);
        }
        if (!number.affinity() && text.type() == SqlType.TEXT) {
            return constantUnlessNull(number, text, trueIfLess(operator));
        }
        return TypedExpr.truth(LetBinding.bind(
                List.of(number.sql(), text.sql()),
                values -> numberAndAnyText(values.getFirst(), operator, values.getLast())));
    }

    private static String numberAndAnyText(String number, String operator, String text) {
        String cast = "TRY_CAST(" + text + " AS DOUBLE)";
        return "(CASE WHEN " + cast + " IS NOT NULL THEN " + number + " " + operator + " " + cast + " WHEN " + number
                + " IS NOT NULL AND " + text + " IS NOT NULL THEN " + (trueIfLess(operator) ? "TRUE" : "FALSE")
                + " END)";
    }

    /** DuckDB's SQL for the number in a string literal. */
    private static String numeric(String literal) {
        String number = literal.strip();
        boolean whole =
                number.chars().allMatch(c -> Character.isDigit(c) || c == '-' || c == '+') && number.length() <= 18;
        return whole ? "CAST(" + number + " AS BIGINT)" : "CAST('" + number + "' AS DOUBLE)";
    }

    private static TypedExpr ordered(String left, String operator, String right, boolean swapped) {
        return swapped ? truth(right, mirrored(operator), left) : truth(left, operator, right);
    }

    private static TypedExpr constantUnlessNull(TypedExpr a, TypedExpr b, boolean value) {
        return TypedExpr.truth("CASE WHEN " + a.sql() + " IS NOT NULL AND " + b.sql() + " IS NOT NULL THEN "
                        + (value ? "TRUE" : "FALSE") + " END")
                .inParentheses();
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

    /** The value of a string literal; null for any other expression. */
    static @Nullable String literal(String sql) {
        String plain = PrintedSql.strip(sql);
        boolean quoted = plain.length() >= 2 && plain.startsWith("'") && plain.endsWith("'");
        String inner = quoted ? plain.substring(1, plain.length() - 1) : "";
        return quoted && inner.replace("''", "").indexOf('\'') < 0 ? inner.replace("''", "'") : null;
    }

    /** SQLite's IS: equality in which NULL equals NULL. */
    public static TypedExpr isNotDistinct(TypedExpr left, TypedExpr right) {
        boolean comparable = (left.type().isText() == right.type().isText() && !isBlobAndOther(left, right))
                || left.type() == SqlType.NULL
                || right.type() == SqlType.NULL;
        TypedExpr a = left.asResult();
        TypedExpr b = right.asResult();
        if (comparable) {
            return TypedExpr.truth("(" + a.sql() + " IS NOT DISTINCT FROM " + b.sql() + ")");
        }
        return TypedExpr.truth("coalesce(" + compare(left, "=", right).sql() + ", " + a.sql() + " IS NULL AND "
                + b.sql() + " IS NULL)");
    }
}
