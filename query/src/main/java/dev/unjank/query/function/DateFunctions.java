package dev.unjank.query.function;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** printf, and the functions for dates. */
final class DateFunctions {
    /** The day on which Unix counts from, since the beginning of 4714 BC. */
    private static final String EPOCH_DAY = "2440587.5e0";

    /** A date, a time, and how far its zone is from UTC: the engine itself would pass over any zone. */
    private static final String TIME =
            "'^(-?[0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]+([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?)"
                    + "\\s*(?:[zZ]|([-+](?:0[0-9]|1[0-4]):[0-5][0-9]))?)?\\s*$'";

    /** A zero can be a flag and begin a width: what has taken one keeps it, so that no text is tried in two ways. */
    private static final Pattern SPECIFIER =
            Pattern.compile("%([-+ 0#,!]*+)([0-9]*+)(?:[.]([0-9]++))?+(?:l{0,2})([a-zA-Z%])");

    private DateFunctions() {}

    /** The format must be a literal: what its arguments become depends on it. */
    static TypedExpr printf(Token call, List<TypedExpr> arguments) {
        String format = arguments.getFirst().sql();
        if (!format.startsWith("'") || arguments.getFirst().type() != SqlType.TEXT) {
            throw PerfettoSqlException.at(call, "expected a literal as the format of " + call.text());
        }
        List<String> parts = new ArrayList<>();
        String shape = format.substring(1, format.length() - 1);
        Matcher specifier = SPECIFIER.matcher(shape);
        StringBuilder literal = new StringBuilder();
        int next = 1;
        int end = 0;
        while (specifier.find()) {
            literal.append(plain(call, shape.substring(end, specifier.start())));
            end = specifier.end();
            String kind = specifier.group(4);
            if (kind.equals("%")) {
                literal.append('%');
                continue;
            }
            parts.add("'" + literal + "'");
            literal.setLength(0);
            TypedExpr argument = next < arguments.size() ? arguments.get(next) : TypedExpr.NULL;
            next++;
            parts.add(formatted(call, specifier, argument));
        }
        // a percent sign at the end stands for itself
        boolean sign = shape.length() > end && shape.endsWith("%");
        literal.append(plain(call, shape.substring(end, shape.length() - (sign ? 1 : 0))))
                .append(sign ? "%" : "");
        parts.add("'" + literal + "'");
        return TypedExpr.of("(" + String.join(" || ", parts) + ")", SqlType.TEXT);
    }

    private static String plain(Token call, String text) {
        if (text.contains("%")) {
            throw PerfettoSqlException.at(
                    call, "expected a number, not *, for a width in a format, and a letter or % after %");
        }
        return text;
    }

    private static String formatted(Token call, Matcher specifier, TypedExpr argument) {
        String flags = specifier.group(1).replace("!", "");
        boolean thousands = flags.contains(",");
        String width = specifier.group(2);
        String precision = specifier.group(3) == null ? "" : "." + specifier.group(3);
        String shape = flags.replace(",", "") + width;
        return switch (specifier.group(4)) {
            case "d", "i", "u" -> {
                String number = "coalesce(" + argument.integer().sql() + ", 0)";
                yield thousands ? "format('{:,}', " + number + ")" : "printf('%" + shape + "d', " + number + ")";
            }
            case "x", "X", "o" ->
                "printf('%" + shape + specifier.group(4) + "', coalesce("
                        + argument.integer().sql() + ", 0))";
            case "f" -> {
                // halves go away from zero, as nowhere else
                String places = specifier.group(3) == null ? "6" : specifier.group(3);
                String rounded = places.length() > 1
                        ? argument.real().sql()
                        : "round(" + argument.real().sql() + ", " + places + ")";
                yield "printf('%" + shape + precision + "f', coalesce(" + rounded + ", 0))";
            }
            case "e", "E", "g", "G" ->
                "printf('%" + shape + precision + specifier.group(4) + "', coalesce("
                        + argument.real().sql() + ", 0))";
            case "s", "z" ->
                "printf('%" + shape + precision + "s', coalesce("
                        + argument.text().sql() + ", ''))";
            case "c" ->
                "printf('%" + shape + "s', coalesce(substring("
                        + argument.text().sql() + ", 1, 1), ''))";
            case "q" -> "coalesce(replace(" + argument.text().sql() + ", '''', ''''''), '(NULL)')";
            case "Q" -> "coalesce('''' || replace(" + argument.text().sql() + ", '''', '''''') || '''', 'NULL')";
            default ->
                throw PerfettoSqlException.at(
                        call,
                        "expected %d, %x, %o, %f, %e, %g, %s, %c, %q or %Q in a format, found " + specifier.group());
        };
    }

    /** A time from a number of seconds, a number of days since Julian's first, or a text; a time without a date is of 2000-01-01. */
    private static String timestamp(Token call, List<TypedExpr> arguments, int from) {
        if (arguments.size() <= from) {
            throw PerfettoSqlException.at(call, "expected a time for " + call.text());
        }
        TypedExpr time = arguments.get(from);
        boolean seconds = arguments.size() > from + 1;
        if (seconds && !PrintedSql.strip(arguments.get(from + 1).sql()).equalsIgnoreCase("'unixepoch'")) {
            throw PerfettoSqlException.at(call, "expected 'unixepoch' as the only modifier of " + call.text());
        } else if (PrintedSql.strip(time.sql()).equalsIgnoreCase("'now'")) {
            throw PerfettoSqlException.at(
                    call, "expected a time for " + call.text() + ": nobody knows when a trace is read");
        } else if (seconds) {
            return "make_timestamp(CAST(" + time.real().sql() + " * 1000000 AS BIGINT))";
        }
        return time.type().isNumber()
                ? LetBinding.in(
                        time.real().sql(),
                        day -> "CASE WHEN " + day + " >= 0 AND " + day + " < 5373484.5 THEN make_timestamp(CAST(round(("
                                + day + " - " + EPOCH_DAY + ") * 86400000) * 1000 AS BIGINT)) END")
                : LetBinding.in(
                        "regexp_replace(" + time.text().sql() + ", '^([0-9]{2}:)', '2000-01-01 \\1')",
                        text -> "(TRY_CAST(trim(" + part(text, 1) + " || ' ' || " + part(text, 2)
                                + ") AS TIMESTAMP) - coalesce(TRY_CAST(ltrim(" + part(text, 3)
                                + ", '+') AS INTERVAL), to_minutes(0)))");
    }

    private static String part(String time, int group) {
        return "regexp_extract(" + time + ", " + TIME + ", " + group + ")";
    }

    static TypedExpr julianDay(Token call, List<TypedExpr> arguments) {
        return TypedExpr.of("(epoch(" + timestamp(call, arguments, 0) + ") / 86400 + " + EPOCH_DAY + ")", SqlType.REAL);
    }

    static TypedExpr strftime(Token call, List<TypedExpr> arguments) {
        String format = arguments.getFirst().sql();
        if (!format.startsWith("'")) {
            throw PerfettoSqlException.at(call, "expected a literal as the format of strftime");
        }
        // SQLite's %f is seconds with milliseconds, %s seconds since 1970
        String translated = format.replace("%f", "%S.%g");
        String time = timestamp(call, arguments, 1);
        if (format.equals("'%s'")) {
            return TypedExpr.of("CAST(CAST(epoch(" + time + ") AS BIGINT) AS VARCHAR)", SqlType.TEXT);
        }
        return TypedExpr.of("strftime(" + time + ", " + translated + ")", SqlType.TEXT);
    }

    static TypedExpr datePart(Token call, List<TypedExpr> arguments, String format) {
        return TypedExpr.of("strftime(" + timestamp(call, arguments, 0) + ", '" + format + "')", SqlType.TEXT);
    }

    static TypedExpr unixEpoch(Token call, List<TypedExpr> arguments) {
        return TypedExpr.of("CAST(floor(epoch(" + timestamp(call, arguments, 0) + ")) AS BIGINT)", SqlType.INT);
    }
}
