package dev.unjank.query.function;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON functions: {@code json_extract}, {@code ->} and {@code ->>}. Paths must be literals: DuckDB interprets other
 * strings differently from SQLite.
 */
public final class JsonFunctions {
    /** Possessive, so that long paths need no stack. */
    private static final Pattern PATH =
            Pattern.compile("\\$(?:\\.[A-Za-z_][A-Za-z0-9_]*|\\.\"[^\"*\\\\]+\"|\\[(?:#-)?[0-9]{1,9}])*+");

    private static final long MAX_INDEX = 999_999_999;

    private JsonFunctions() {}

    /** The value at a path. */
    static TypedExpr extract(Token at, TypedExpr json, TypedExpr path) {
        String literal = path.sql().literal();
        if (literal == null || !PATH.matcher(literal).matches()) {
            throw PerfettoSqlException.at(at, "expected a literal as the path of json_extract, such as '$.name[0]'");
        }
        return value(json.text().sql(), literal);
    }

    /** {@code json ->> key} as a value, {@code json -> key} as JSON. */
    public static TypedExpr member(Token at, Sql json, TypedExpr key) {
        String path = path(key.sql());
        if (path == null) {
            throw PerfettoSqlException.at(
                    at,
                    "expected a literal after " + at.text()
                            + ": a name, a path such as '$.name[0]', or an index from 0");
        }
        return at.isSymbol("->>")
                ? value(json, path)
                : TypedExpr.of(Sql.cast(Sql.call("json_extract", json, Sql.text(path)), SqlType.TEXT), SqlType.TEXT);
    }

    private static @Nullable String path(Sql key) {
        if (key.form() instanceof Sql.Int index && index.value() >= 0 && index.value() <= MAX_INDEX) {
            return "$[" + index.value() + "]";
        }
        String literal = key.literal();
        if (literal == null || literal.isEmpty()) {
            return null;
        }
        String path = literal.startsWith("$") ? literal : "$.\"" + literal + "\"";
        return PATH.matcher(path).matches() ? path : null;
    }

    /** Booleans become 1 and 0; objects and arrays remain JSON. */
    private static TypedExpr value(Sql json, String path) {
        return TypedExpr.of(
                Sql.let(json, v -> {
                    Sql string = Sql.call("json_extract_string", v, Sql.text(path));
                    return Sql.choice(
                            Sql.infix(Sql.call("json_type", v, Sql.text(path)), "=", Sql.text("BOOLEAN")),
                            Sql.choice(Sql.infix(string, "=", Sql.text("true")), Sql.text("1"), Sql.text("0")),
                            string);
                }),
                SqlType.ANY);
    }
}
