package dev.unjank.query.front;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** printf, and the functions for dates. */
final class Formats {
    private static final Pattern SPECIFIER =
            Pattern.compile("%([-+ 0#,!]*)([0-9]*)(?:[.]([0-9]+))?(?:l{0,2})([a-zA-Z%])");

    private Formats() {}

    /** The format must be a literal: what its arguments become depends on it. */
    static Code printf(Token call, List<Code> arguments) {
        String format = arguments.getFirst().sql();
        if (!format.startsWith("'") || arguments.getFirst().type() != SqlType.TEXT) {
            throw PerfettoSqlException.at(call, "expected a literal as the format of " + call.text());
        }
        List<String> parts = new ArrayList<>();
        Matcher specifier = SPECIFIER.matcher(format.substring(1, format.length() - 1));
        StringBuilder literal = new StringBuilder();
        int next = 1;
        while (specifier.find()) {
            specifier.appendReplacement(literal, "");
            String kind = specifier.group(4);
            if (kind.equals("%")) {
                literal.append('%');
                continue;
            }
            parts.add("'" + literal + "'");
            literal.setLength(0);
            Code argument = next < arguments.size() ? arguments.get(next) : Code.NULL;
            next++;
            parts.add(formatted(call, specifier, argument));
        }
        specifier.appendTail(literal);
        parts.add("'" + literal + "'");
        return Code.of("(" + String.join(" || ", parts) + ")", SqlType.TEXT);
    }

    private static String formatted(Token call, Matcher specifier, Code argument) {
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
            case "f", "e", "E", "g", "G" ->
                "printf('%" + shape + precision + specifier.group(4) + "', coalesce("
                        + argument.real().sql() + ", 0))";
            case "s", "z" ->
                "printf('%" + shape + precision + "s', coalesce("
                        + argument.text().sql() + ", ''))";
            case "c" -> "coalesce(substring(" + argument.text().sql() + ", 1, 1), '')";
            case "q" -> "coalesce(replace(" + argument.text().sql() + ", '''', ''''''), '(NULL)')";
            case "Q" -> "coalesce('''' || replace(" + argument.text().sql() + ", '''', '''''') || '''', 'NULL')";
            default ->
                throw PerfettoSqlException.at(
                        call,
                        "expected %d, %x, %o, %f, %e, %g, %s, %c, %q or %Q in a format, found " + specifier.group());
        };
    }

    /** A time from a number of seconds or from a text; "now" is not known to a trace. */
    private static String timestamp(Token call, List<Code> arguments, int from) {
        if (arguments.size() <= from) {
            throw PerfettoSqlException.at(call, "expected a time for " + call.text());
        }
        Code time = arguments.get(from);
        boolean seconds = arguments.size() > from + 1;
        if (seconds && !Marks.strip(arguments.get(from + 1).sql()).equalsIgnoreCase("'unixepoch'")) {
            throw PerfettoSqlException.at(call, "expected 'unixepoch' as the only modifier of " + call.text());
        }
        return seconds || time.type().isNumber()
                ? "make_timestamp(CAST(" + time.real().sql() + " * 1000000 AS BIGINT))"
                : "TRY_CAST(" + time.text().sql() + " AS TIMESTAMP)";
    }

    static Code strftime(Token call, List<Code> arguments) {
        String format = arguments.getFirst().sql();
        if (!format.startsWith("'")) {
            throw PerfettoSqlException.at(call, "expected a literal as the format of strftime");
        }
        // SQLite's %f is seconds with milliseconds, %s seconds since 1970
        String translated = format.replace("%f", "%S.%g");
        String time = timestamp(call, arguments, 1);
        if (format.equals("'%s'")) {
            return Code.of("CAST(CAST(epoch(" + time + ") AS BIGINT) AS VARCHAR)", SqlType.TEXT);
        }
        return Code.of("strftime(" + time + ", " + translated + ")", SqlType.TEXT);
    }

    static Code datePart(Token call, List<Code> arguments, String format) {
        return Code.of("strftime(" + timestamp(call, arguments, 0) + ", '" + format + "')", SqlType.TEXT);
    }

    static Code unixEpoch(Token call, List<Code> arguments) {
        return Code.of("CAST(floor(epoch(" + timestamp(call, arguments, 0) + ")) AS BIGINT)", SqlType.INT);
    }
}
