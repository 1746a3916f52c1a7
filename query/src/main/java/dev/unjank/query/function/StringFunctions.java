package dev.unjank.query.function;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.List;

/** Places in texts, which SQLite counts in ways of its own. */
final class StringFunctions {
    private StringFunctions() {}

    /** What is no character becomes the one that stands for that. */
    static String character(String number) {
        return LetBinding.in(
                number,
                n -> "chr(CAST(CASE WHEN " + n + " NOT BETWEEN 0 AND 1114111 OR " + n
                        + " BETWEEN 55296 AND 57343 THEN 65533 ELSE " + n + " END AS INTEGER))");
    }

    /** SQLite's positions: from 1, from the end if negative, and 0 is one before the first. */
    static TypedExpr substring(Token call, List<TypedExpr> a) {
        String text = text(call, a.getFirst());
        String from = a.get(1).integer().sql();
        if (a.size() == 2) {
            return TypedExpr.of(LetBinding.in(List.of(text, from), v -> rest(v.getFirst(), v.getLast())), SqlType.TEXT);
        }
        String length = a.get(2).integer().sql();
        if (isPositiveLiteral(from) && isPositiveLiteral(length)) {
            return TypedExpr.of("substring(" + text + ", " + from + ", " + length + ")", SqlType.TEXT);
        }
        return TypedExpr.of(
                LetBinding.in(List.of(text, from, length), v -> part(v.getFirst(), v.get(1), v.getLast())),
                SqlType.TEXT);
    }

    /** Where a text begins in another, counted from 1; 0 if it does not. */
    static TypedExpr instr(Token call, List<TypedExpr> a) {
        return TypedExpr.of(
                "CAST(instr(" + text(call, a.getFirst()) + ", " + text(call, a.get(1)) + ") AS BIGINT)", SqlType.INT);
    }

    private static String text(Token call, TypedExpr code) {
        if (code.type() == SqlType.BLOB) {
            throw PerfettoSqlException.at(call, "expected a text for " + call.text() + ", found bytes");
        }
        return code.text().sql();
    }

    private static String rest(String text, String position) {
        String from = within(position);
        return "(CASE WHEN " + position + " = 0 THEN " + text + " ELSE substring(" + text + ", " + from + ") END)";
    }

    private static String part(String text, String position, String count) {
        String from = within(position);
        String length = within(count);
        String start = "CASE WHEN " + from + " < 0 THEN length(" + text + ") + " + from + " + 1 ELSE " + from + " END";
        String first = "CASE WHEN " + length + " < 0 THEN (" + start + ") + " + length + " ELSE " + start + " END";
        String end = "CASE WHEN " + length + " < 0 THEN " + start + " ELSE (" + start + ") + " + length + " END";
        return "(CASE WHEN " + position + " IS NOT NULL AND " + count + " IS NOT NULL THEN substring(" + text
                + ", greatest(" + first + ", 1), greatest((" + end + ") - greatest(" + first + ", 1), 0)) END)";
    }

    /** No text is longer, and no sum of two such numbers overflows. */
    private static String within(String position) {
        if (isPositiveLiteral(position)) {
            return position;
        }
        return "(CASE WHEN " + position + " > 2147483647 THEN 2147483647 WHEN " + position
                + " < -2147483647 THEN -2147483647 ELSE " + position + " END)";
    }

    private static boolean isPositiveLiteral(String sql) {
        return sql.matches("CAST\\([1-9][0-9]{0,8} AS BIGINT\\)");
    }

    /** The field of a text between separators, counted from 0; NULL if there are not so many. */
    static TypedExpr split(Token call, List<TypedExpr> a) {
        String parts = "string_split(" + a.getFirst().text().sql() + ", "
                + a.get(1).text().sql() + ")";
        String number = LetBinding.in(a.get(2).integer().sql(), field -> "greatest(" + within(field) + " + 1, 0)");
        return TypedExpr.of("list_extract(" + parts + ", " + number + ")", SqlType.TEXT);
    }
}
