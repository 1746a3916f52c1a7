package dev.unjank.query.function;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.List;

/** SQLite's functions for dates and times. Formats and modifiers must be literals. */
final class DateFunctions {
    private DateFunctions() {}

    /** A timestamp from Unix seconds, a Julian day or a string; a time without a date is on 2000-01-01. */
    private static Sql timestamp(Token call, List<TypedExpr> arguments, int from) {
        if (arguments.size() <= from) {
            throw PerfettoSqlException.at(call, "expected a time for " + call.text());
        }
        TypedExpr time = arguments.get(from);
        boolean seconds = arguments.size() > from + 1;
        if (seconds
                && !"unixepoch".equalsIgnoreCase(arguments.get(from + 1).sql().literal())) {
            throw PerfettoSqlException.at(call, "expected 'unixepoch' as the only modifier of " + call.text());
        } else if ("now".equalsIgnoreCase(time.sql().literal())) {
            throw PerfettoSqlException.at(
                    call,
                    "expected a time for " + call.text()
                            + ": 'now' is not supported, the time of reading is not available");
        } else if (seconds) {
            return Sql.macro("sqlite_time_of_seconds", time.real().sql());
        }
        return time.type().isNumber()
                ? Sql.macro("sqlite_time_of_julian_day", time.real().sql())
                : Sql.macro("sqlite_time_of_text", time.text().sql());
    }

    static TypedExpr julianDay(Token call, List<TypedExpr> arguments) {
        return TypedExpr.of(Sql.macro("sqlite_julianday", timestamp(call, arguments, 0)), SqlType.REAL);
    }

    static TypedExpr strftime(Token call, List<TypedExpr> arguments) {
        String format = arguments.getFirst().sql().literal();
        if (format == null) {
            throw PerfettoSqlException.at(call, "expected a literal as the format of strftime");
        }
        Sql time = timestamp(call, arguments, 1);
        // SQLite: %f is seconds with milliseconds, %s seconds since 1970
        return TypedExpr.of(
                format.equals("%s")
                        ? Sql.macro("sqlite_epoch_text", time)
                        : Sql.call("strftime", time, Sql.text(format.replace("%f", "%S.%g"))),
                SqlType.TEXT);
    }

    static TypedExpr datePart(Token call, List<TypedExpr> arguments, String format) {
        return TypedExpr.of(Sql.call("strftime", timestamp(call, arguments, 0), Sql.text(format)), SqlType.TEXT);
    }

    static TypedExpr unixEpoch(Token call, List<TypedExpr> arguments) {
        return TypedExpr.of(Sql.macro("sqlite_unixepoch", timestamp(call, arguments, 0)), SqlType.INT);
    }
}
