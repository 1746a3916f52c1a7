package dev.unjank.query.function;

import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LIKE, GLOB and REGEXP with SQLite's semantics. Literal patterns choose faster functions. */
public final class PatternMatching {
    /** Inserted before an exclamation mark that starts a GLOB class, where DuckDB would negate the class. */
    private static final String FILLER = "\u007f";

    /** Start of a capturing group. */
    private static final Pattern GROUP = Pattern.compile("(?<!\\\\)\\((?!\\?)");

    /** Syntax that lets a pattern match without its first group. */
    private static final Pattern OPTIONAL = Pattern.compile("\\)[?*]|\\)\\{0|\\|");

    private PatternMatching() {}

    /** LIKE, case-insensitive for ASCII letters only. */
    public static TypedExpr like(TypedExpr value, TypedExpr pattern, @Nullable TypedExpr escape) {
        Sql text = value.text().sql();
        Sql like = pattern.text().sql();
        Sql escaped = escape == null ? null : escape.text().sql();
        String literal = like.literal();
        boolean ascii = literal != null && literal.chars().allMatch(c -> c < 128);
        return TypedExpr.truth(
                ascii
                        ? Sql.match(text, "ILIKE", like, escaped)
                        : Sql.match(Sql.macro("sqlite_lower", text), "LIKE", Sql.macro("sqlite_lower", like), escaped));
    }

    /** GLOB; literals of common forms become string searches. */
    public static TypedExpr glob(TypedExpr value, TypedExpr pattern) {
        Sql text = value.text().sql();
        Sql glob = pattern.text().sql();
        String literal = glob.literal();
        return TypedExpr.truth(literal == null ? Sql.macro("sqlite_glob", text, glob) : glob(text, literal));
    }

    private static Sql glob(Sql text, String glob) {
        boolean open = glob.startsWith("*");
        boolean close = glob.endsWith("*") && glob.length() > 1;
        String middle = glob.substring(open ? 1 : 0, glob.length() - (close ? 1 : 0));
        if (middle.chars().anyMatch(c -> c == '*' || c == '?' || c == '[')) {
            String escaped =
                    glob.replace("\\", "\\\\").replace("[!", "[" + FILLER + "!").replace("[^", "[!");
            return Sql.match(text, "GLOB", Sql.text(escaped), null);
        }
        if (open && glob.length() == 1) {
            return Sql.infix(Sql.isNotNull(text), "OR", Sql.NULL);
        }
        Sql wanted = Sql.text(middle);
        if (open) {
            return Sql.call(close ? "contains" : "suffix", text, wanted);
        }
        return close ? Sql.call("starts_with", text, wanted) : Sql.infix(text, "=", wanted);
    }

    public static TypedExpr regexp(TypedExpr value, TypedExpr pattern) {
        return TypedExpr.truth(
                Sql.call("regexp_matches", value.text().sql(), pattern.text().sql()));
    }

    /**
     * The match of the first group of a pattern, or of the whole pattern without groups; NULL without a match. DuckDB's
     * match of a group that took no part is empty.
     */
    static TypedExpr extract(TypedExpr value, TypedExpr pattern) {
        Sql regexp = pattern.text().sql();
        String literal = regexp.literal();
        boolean group = literal == null || GROUP.matcher(literal).find();
        Sql match = Sql.macro("sqlite_regexp_extract", value.text().sql(), regexp, Sql.bare(group ? 1 : 0));
        boolean optional =
                group && (literal == null || OPTIONAL.matcher(literal).find());
        return TypedExpr.of(optional ? Sql.call("nullif", match, Sql.text("")) : match, SqlType.TEXT);
    }
}
