package dev.unjank.query.function;

import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LIKE, GLOB and REGEXP with SQLite's semantics. */
public final class PatternMatching {
    private static final String UPPER = "'ABCDEFGHIJKLMNOPQRSTUVWXYZ'";
    private static final String LOWER = "'abcdefghijklmnopqrstuvwxyz'";

    /** Inserted before an exclamation mark that starts a GLOB class, where DuckDB would negate the class. */
    private static final String FILLER = "\u007f";

    /** Start of a capturing group. */
    private static final Pattern GROUP = Pattern.compile("(?<!\\\\)\\((?!\\?)");

    private PatternMatching() {}

    /** LIKE, case-insensitive for ASCII letters only. */
    public static TypedExpr like(TypedExpr value, TypedExpr pattern, @Nullable TypedExpr escape) {
        String text = value.text().sql();
        String like = pattern.text().sql();
        String escaped = escape == null ? "" : " ESCAPE " + escape.text().sql();
        boolean ascii = like.startsWith("'") && like.chars().allMatch(c -> c < 128);
        return ascii
                ? TypedExpr.truth("(" + text + " ILIKE " + like + escaped + ")")
                : TypedExpr.truth("(" + lower(text) + " LIKE " + lower(like) + escaped + ")");
    }

    /** Converts ASCII letters to lower case, as SQLite does. */
    public static String lower(String sql) {
        return "translate(" + sql + ", " + UPPER + ", " + LOWER + ")";
    }

    static String upper(String sql) {
        return "translate(" + sql + ", " + LOWER + ", " + UPPER + ")";
    }

    /** GLOB; literals of common forms become string searches. */
    public static TypedExpr glob(TypedExpr value, TypedExpr pattern) {
        String text = value.text().sql();
        String glob = pattern.text().sql();
        if (!isLiteral(glob)) {
            return TypedExpr.truth("(" + text + " GLOB replace(replace(replace(" + glob + ", '\\', '\\\\'), '[!', '["
                    + FILLER + "!'), '[^', '[!'))");
        }
        String inner = glob.substring(1, glob.length() - 1);
        boolean open = inner.startsWith("*");
        boolean close = inner.endsWith("*") && inner.length() > 1;
        String middle = inner.substring(open ? 1 : 0, inner.length() - (close ? 1 : 0));
        boolean plain = middle.chars().noneMatch(c -> c == '*' || c == '?' || c == '[');
        if (plain && open && inner.length() == 1) {
            return TypedExpr.truth("(" + text + " IS NOT NULL OR NULL)");
        }
        if (plain) {
            String wanted = "'" + middle + "'";
            String search = open && close
                    ? "contains(" + text + ", " + wanted + ")"
                    : open
                            ? "suffix(" + text + ", " + wanted + ")"
                            : close ? "starts_with(" + text + ", " + wanted + ")" : "(" + text + " = " + wanted + ")";
            return TypedExpr.truth(search);
        }
        return TypedExpr.truth("(" + text + " GLOB '"
                + inner.replace("\\", "\\\\").replace("[!", "[" + FILLER + "!").replace("[^", "[!") + "')");
    }

    public static TypedExpr regexp(TypedExpr value, TypedExpr pattern) {
        return TypedExpr.truth(
                "regexp_matches(" + value.text().sql() + ", " + pattern.text().sql() + ")");
    }

    /** The match of the first group of a pattern, or of the whole pattern without groups; NULL without a match. */
    static TypedExpr extract(TypedExpr value, TypedExpr pattern) {
        String text = value.text().sql();
        String regexp = pattern.text().sql();
        boolean group = !isLiteral(regexp) || GROUP.matcher(regexp).find();
        return TypedExpr.of(
                "(CASE WHEN regexp_matches(" + text + ", " + regexp + ") THEN regexp_extract(" + text + ", " + regexp
                        + (group ? ", 1" : "") + ") END)",
                SqlType.TEXT);
    }

    private static boolean isLiteral(String sql) {
        boolean quoted = sql.length() >= 2 && sql.startsWith("'") && sql.endsWith("'");
        return quoted && sql.substring(1, sql.length() - 1).replace("''", "").indexOf('\'') < 0;
    }
}
