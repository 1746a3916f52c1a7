package dev.unjank.query.function;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.List;

/** SQLite's functions for dates and times. */
final class DateFunctions {
    /** The Julian day of the Unix epoch. */
    private static final String EPOCH_DAY = "2440587.5e0";

    /** A date, a time and a time zone; DuckDB itself would ignore the zone. */
    private static final String TIME =
            "'^(-?[0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]+([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?)"
                    + "\\s*(?:[zZ]|([-+](?:0[0-9]|1[0-4]):[0-5][0-9]))?)?\\s*$'";

    private DateFunctions() {}

    /** A timestamp from Unix seconds, a Julian day or a string; a time without a date is on 2000-01-01. */
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
                    call,
                    "expected a time for " + call.text()
                            + ": 'now' is not supported, the time of reading is not available");
        } else if (seconds) {
            return "make_timestamp(CAST(" + time.real().sql() + " * 1000000 AS BIGINT))";
        }
        return time.type().isNumber()
                ? LetBinding.bind(
                        time.real().sql(),
                        day -> "CASE WHEN " + day + " >= 0 AND " + day + " < 5373484.5 THEN make_timestamp(CAST(round(("
                                + day + " - " + EPOCH_DAY + ") * 86400000) * 1000 AS BIGINT)) END")
                : LetBinding.bind(
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
        // SQLite: %f is seconds with milliseconds, %s seconds since 1970
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
