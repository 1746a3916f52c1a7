package dev.unjank.query.function;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** SQLite's function printf, also called format. */
final class PrintfFunction {
    /** Possessive quantifiers: a zero may be a flag or start a width, and no text is matched in two ways. */
    private static final Pattern SPECIFIER =
            Pattern.compile("%([-+ 0#,!]*+)([0-9]*+)(?:[.]([0-9]++))?+(?:l{0,2})([a-zA-Z%])");

    private PrintfFunction() {}

    /** Requires a literal format, which determines the conversions of the arguments. */
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
        // a trailing percent sign is literal
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
                // halves round away from zero
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
}
