package dev.unjank.query.function;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Sql;
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
        String format = arguments.getFirst().sql().literal();
        if (format == null || arguments.getFirst().type() != SqlType.TEXT) {
            throw PerfettoSqlException.at(call, "expected a literal as the format of " + call.text());
        }
        List<Sql> parts = new ArrayList<>();
        Matcher specifier = SPECIFIER.matcher(format);
        StringBuilder literal = new StringBuilder();
        int next = 1;
        int end = 0;
        while (specifier.find()) {
            literal.append(plain(call, format.substring(end, specifier.start())));
            end = specifier.end();
            String kind = specifier.group(4);
            if (kind.equals("%")) {
                literal.append('%');
                continue;
            }
            parts.add(Sql.text(literal.toString()));
            literal.setLength(0);
            TypedExpr argument = next < arguments.size() ? arguments.get(next) : TypedExpr.NULL;
            next++;
            parts.add(formatted(call, specifier, argument));
        }
        // a trailing percent sign is literal
        boolean sign = format.length() > end && format.endsWith("%");
        literal.append(plain(call, format.substring(end, format.length() - (sign ? 1 : 0))))
                .append(sign ? "%" : "");
        parts.add(Sql.text(literal.toString()));
        return TypedExpr.of(Sql.all(parts, "||"), SqlType.TEXT);
    }

    private static String plain(Token call, String text) {
        if (text.contains("%")) {
            throw PerfettoSqlException.at(
                    call, "expected a number, not *, for a width in a format, and a letter or % after %");
        }
        return text;
    }

    private static Sql formatted(Token call, Matcher specifier, TypedExpr argument) {
        String flags = specifier.group(1).replace("!", "");
        boolean thousands = flags.contains(",");
        String places = specifier.group(3);
        String shape = flags.replace(",", "") + specifier.group(2);
        String precise = shape + (places == null ? "" : "." + places);
        String kind = specifier.group(4);
        return switch (kind) {
            case "d", "i", "u" -> {
                Sql number = orElse(argument.integer().sql(), Sql.bare(0));
                yield thousands ? Sql.call("format", Sql.text("{:,}"), number) : printf(shape + "d", number);
            }
            case "x", "X", "o" -> printf(shape + kind, orElse(argument.integer().sql(), Sql.bare(0)));
            case "f" -> {
                // halves round away from zero
                Sql number = argument.real().sql();
                boolean rounds = places == null || places.length() == 1;
                Sql rounded = rounds
                        ? Sql.call("round", number, Sql.bare(places == null ? 6 : Integer.parseInt(places)))
                        : number;
                yield printf(precise + "f", orElse(rounded, Sql.bare(0)));
            }
            case "e", "E", "g", "G" ->
                printf(precise + kind, orElse(argument.real().sql(), Sql.bare(0)));
            case "s", "z" -> printf(precise + "s", orElse(argument.text().sql(), Sql.text("")));
            case "c" ->
                printf(
                        shape + "s",
                        orElse(Sql.call("substring", argument.text().sql(), Sql.bare(1), Sql.bare(1)), Sql.text("")));
            case "q" ->
                orElse(Sql.call("replace", argument.text().sql(), Sql.text("'"), Sql.text("''")), Sql.text("(NULL)"));
            case "Q" -> Sql.macro("sqlite_quote", argument.text().sql());
            default ->
                throw PerfettoSqlException.at(
                        call,
                        "expected %d, %x, %o, %f, %e, %g, %s, %c, %q or %Q in a format, found " + specifier.group());
        };
    }

    private static Sql printf(String shape, Sql value) {
        return Sql.call("printf", Sql.text("%" + shape), value);
    }

    private static Sql orElse(Sql value, Sql otherwise) {
        return Sql.call("coalesce", value, otherwise);
    }
}
