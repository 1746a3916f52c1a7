package dev.unjank.query.function;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.List;

/** String functions with positions, which SQLite counts differently from DuckDB. */
final class StringFunctions {
    private StringFunctions() {}

    /** The character of a code point; invalid code points become U+FFFD. */
    static String character(String number) {
        return LetBinding.bind(
                number,
                n -> "chr(CAST(CASE WHEN " + n + " NOT BETWEEN 0 AND 1114111 OR " + n
                        + " BETWEEN 55296 AND 57343 THEN 65533 ELSE " + n + " END AS INTEGER))");
    }

    /** Substring with SQLite's positions: from 1, negative from the end, and 0 is one before the first character. */
    static TypedExpr substring(Token call, List<TypedExpr> a) {
        String text = text(call, a.getFirst());
        String from = a.get(1).integer().sql();
        if (a.size() == 2) {
            return TypedExpr.of(
                    LetBinding.bind(List.of(text, from), v -> substringToEnd(v.getFirst(), v.getLast())), SqlType.TEXT);
        }
        String length = a.get(2).integer().sql();
        if (isPositiveLiteral(from) && isPositiveLiteral(length)) {
            return TypedExpr.of("substring(" + text + ", " + from + ", " + length + ")", SqlType.TEXT);
        }
        return TypedExpr.of(
                LetBinding.bind(
                        List.of(text, from, length), v -> substringOfLength(v.getFirst(), v.get(1), v.getLast())),
                SqlType.TEXT);
    }

    /** Position of a substring, from 1; 0 if there is none. */
    static TypedExpr instr(Token call, List<TypedExpr> a) {
        return TypedExpr.of(
                "CAST(instr(" + text(call, a.getFirst()) + ", " + text(call, a.get(1)) + ") AS BIGINT)", SqlType.INT);
    }

    private static String text(Token call, TypedExpr code) {
        if (code.type() == SqlType.BLOB) {
            throw PerfettoSqlException.at(call, "expected a string for " + call.text() + ", found bytes");
        }
        return code.text().sql();
    }

    private static String substringToEnd(String text, String position) {
        String from = clampedToInt(position);
        return "(CASE WHEN " + position + " = 0 THEN " + text + " ELSE substring(" + text + ", " + from + ") END)";
    }

    private static String substringOfLength(String text, String position, String count) {
        String from = clampedToInt(position);
        String length = clampedToInt(count);
        String start = "CASE WHEN " + from + " < 0 THEN length(" + text + ") + " + from + " + 1 ELSE " + from + " END";
        String first = "CASE WHEN " + length + " < 0 THEN (" + start + ") + " + length + " ELSE " + start + " END";
        String end = "CASE WHEN " + length + " < 0 THEN " + start + " ELSE (" + start + ") + " + length + " END";
        return "(CASE WHEN " + position + " IS NOT NULL AND " + count + " IS NOT NULL THEN substring(" + text
                + ", greatest(" + first + ", 1), greatest((" + end + ") - greatest(" + first + ", 1), 0)) END)";
    }

    /** Clamps a position, so that sums do not overflow; no string is longer. */
    private static String clampedToInt(String position) {
        if (isPositiveLiteral(position)) {
            return position;
        }
        return "(CASE WHEN " + position + " > 2147483647 THEN 2147483647 WHEN " + position
                + " < -2147483647 THEN -2147483647 ELSE " + position + " END)";
    }

    private static boolean isPositiveLiteral(String sql) {
        return sql.matches("CAST\\([1-9][0-9]{0,8} AS BIGINT\\)");
    }

    /** The field of a string between separators, from 0; NULL if there are fewer fields. */
    static TypedExpr split(Token call, List<TypedExpr> a) {
        String parts = "string_split(" + a.getFirst().text().sql() + ", "
                + a.get(1).text().sql() + ")";
        String number =
                LetBinding.bind(a.get(2).integer().sql(), field -> "greatest(" + clampedToInt(field) + " + 1, 0)");
        return TypedExpr.of("list_extract(" + parts + ", " + number + ")", SqlType.TEXT);
    }
}
