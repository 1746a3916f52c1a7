package dev.unjank.query.function;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.LetBinding;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON functions: {@code json_extract}, {@code ->} and {@code ->>}. Paths must be literals: DuckDB interprets other strings
 * differently from SQLite.
 */
public final class JsonFunctions {
    /** Possessive, so that long paths need no stack. */
    private static final Pattern PATH =
            Pattern.compile("\\$(?:\\.[A-Za-z_][A-Za-z0-9_]*|\\.\"[^\"*\\\\]+\"|\\[(?:#-)?[0-9]{1,9}])*+");

    private static final Pattern INDEX = Pattern.compile("CAST\\(([0-9]{1,9}) AS BIGINT\\)");

    private JsonFunctions() {}

    /** The value at a path. */
    static TypedExpr extract(Token at, TypedExpr json, TypedExpr path) {
        String literal = SqliteComparison.literal(path.sql());
        if (literal == null || !PATH.matcher(literal).matches()) {
            throw PerfettoSqlException.at(at, "expected a literal as the path of json_extract, such as '$.name[0]'");
        }
        return value(json, literal);
    }

    /** {@code json ->> key} as a value, {@code json -> key} as JSON. */
    public static TypedExpr member(Token at, String mark, TypedExpr json, TypedExpr key) {
        String path = path(key);
        if (path == null) {
            throw PerfettoSqlException.at(
                    at,
                    "expected a literal after " + at.text()
                            + ": a name, a path such as '$.name[0]', or an index from 0");
        }
        TypedExpr marked = new TypedExpr(mark + json.text().sql(), SqlType.TEXT, false);
        return at.isSymbol("->>")
                ? value(marked, path)
                : TypedExpr.of(
                        "CAST(json_extract(" + marked.sql() + ", " + SqlQuoting.text(path) + ") AS VARCHAR)",
                        SqlType.TEXT);
    }

    private static @Nullable String path(TypedExpr key) {
        Matcher index = INDEX.matcher(PrintedSql.strip(key.sql()));
        if (index.matches()) {
            return "$[" + index.group(1) + "]";
        }
        String literal = SqliteComparison.literal(key.sql());
        if (literal == null || literal.isEmpty()) {
            return null;
        }
        String path = literal.startsWith("$") ? literal : "$.\"" + literal + "\"";
        return PATH.matcher(path).matches() ? path : null;
    }

    /** Booleans become 1 and 0; objects and arrays remain JSON. */
    private static TypedExpr value(TypedExpr json, String path) {
        String where = ", " + SqlQuoting.text(path) + ")";
        return TypedExpr.of(
                LetBinding.bind(
                        json.text().sql(),
                        v -> "(CASE json_type(" + v + where + " WHEN 'BOOLEAN' THEN CASE json_extract_string(" + v
                                + where + " WHEN 'true' THEN '1' ELSE '0' END ELSE json_extract_string(" + v + where
                                + " END)"),
                SqlType.ANY);
    }
}
