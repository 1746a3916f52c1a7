package dev.unjank.query.function;

import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedExpr;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LIKE, GLOB and REGEXP with SQLite's meaning. */
public final class PatternMatching {
    private static final String UPPER = "'ABCDEFGHIJKLMNOPQRSTUVWXYZ'";
    private static final String LOWER = "'abcdefghijklmnopqrstuvwxyz'";

    /** Stands before an exclamation mark that begins a class of GLOB, where the engine would take that for "none of these". */
    private static final String FILLER = "\u007f";

    /** The beginning of a group in a regular expression. */
    private static final Pattern GROUP = Pattern.compile("(?<!\\\\)\\((?!\\?)");

    private PatternMatching() {}

    /** LIKE does not tell upper from lower case within ASCII, and nowhere else. */
    public static TypedExpr like(TypedExpr value, TypedExpr pattern, @Nullable TypedExpr escape) {
        String text = value.text().sql();
        String like = pattern.text().sql();
        String escaped = escape == null ? "" : " ESCAPE " + escape.text().sql();
        boolean ascii = like.startsWith("'") && like.chars().allMatch(c -> c < 128);
        return ascii
                ? TypedExpr.truth("(" + text + " ILIKE " + like + escaped + ")")
                : TypedExpr.truth("(" + lower(text) + " LIKE " + lower(like) + escaped + ")");
    }

    /** In small letters, as SQLite knows them: those of ASCII. */
    public static String lower(String sql) {
        return "translate(" + sql + ", " + UPPER + ", " + LOWER + ")";
    }

    static String upper(String sql) {
        return "translate(" + sql + ", " + LOWER + ", " + UPPER + ")";
    }

    /** GLOB; the common shapes of a literal become searches for a text. */
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

    /** What the first group of a pattern matches, or all of it if it has none; NULL if nothing does. */
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
