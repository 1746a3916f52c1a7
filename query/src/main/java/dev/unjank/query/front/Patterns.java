package dev.unjank.query.front;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LIKE, GLOB and REGEXP with SQLite's meaning. */
final class Patterns {
    private static final String UPPER = "'ABCDEFGHIJKLMNOPQRSTUVWXYZ'";
    private static final String LOWER = "'abcdefghijklmnopqrstuvwxyz'";

    /** Stands before an exclamation mark that begins a class of GLOB, where the engine would take that for "none of these". */
    private static final String FILLER = "\u007f";

    /** The beginning of a group in a regular expression. */
    private static final Pattern GROUP = Pattern.compile("(?<!\\\\)\\((?!\\?)");

    private Patterns() {}

    /** LIKE does not tell upper from lower case within ASCII, and nowhere else. */
    static Code like(Code value, Code pattern, @Nullable Code escape) {
        String text = value.text().sql();
        String like = pattern.text().sql();
        String escaped = escape == null ? "" : " ESCAPE " + escape.text().sql();
        boolean ascii = like.startsWith("'") && like.chars().allMatch(c -> c < 128);
        return ascii
                ? Code.truth("(" + text + " ILIKE " + like + escaped + ")")
                : Code.truth("(" + lower(text) + " LIKE " + lower(like) + escaped + ")");
    }

    /** In small letters, as SQLite knows them: those of ASCII. */
    static String lower(String sql) {
        return "translate(" + sql + ", " + UPPER + ", " + LOWER + ")";
    }

    static String upper(String sql) {
        return "translate(" + sql + ", " + LOWER + ", " + UPPER + ")";
    }

    /** GLOB; the common shapes of a literal become searches for a text. */
    static Code glob(Code value, Code pattern) {
        String text = value.text().sql();
        String glob = pattern.text().sql();
        if (!isLiteral(glob)) {
            return Code.truth("(" + text + " GLOB replace(replace(replace(" + glob + ", '\\', '\\\\'), '[!', '["
                    + FILLER + "!'), '[^', '[!'))");
        }
        String inner = glob.substring(1, glob.length() - 1);
        boolean open = inner.startsWith("*");
        boolean close = inner.endsWith("*") && inner.length() > 1;
        String middle = inner.substring(open ? 1 : 0, inner.length() - (close ? 1 : 0));
        boolean plain = middle.chars().noneMatch(c -> c == '*' || c == '?' || c == '[');
        if (plain && open && inner.length() == 1) {
            return Code.truth("(" + text + " IS NOT NULL OR NULL)");
        }
        if (plain) {
            String wanted = "'" + middle + "'";
            String search = open && close
                    ? "contains(" + text + ", " + wanted + ")"
                    : open
                            ? "suffix(" + text + ", " + wanted + ")"
                            : close ? "starts_with(" + text + ", " + wanted + ")" : "(" + text + " = " + wanted + ")";
            return Code.truth(search);
        }
        return Code.truth("(" + text + " GLOB '"
                + inner.replace("\\", "\\\\").replace("[!", "[" + FILLER + "!").replace("[^", "[!") + "')");
    }

    static Code regexp(Code value, Code pattern) {
        return Code.truth(
                "regexp_matches(" + value.text().sql() + ", " + pattern.text().sql() + ")");
    }

    /** What the first group of a pattern matches, or all of it if it has none; NULL if nothing does. */
    static Code extract(Code value, Code pattern) {
        String text = value.text().sql();
        String regexp = pattern.text().sql();
        boolean group = !isLiteral(regexp) || GROUP.matcher(regexp).find();
        return Code.of(
                "(CASE WHEN regexp_matches(" + text + ", " + regexp + ") THEN regexp_extract(" + text + ", " + regexp
                        + (group ? ", 1" : "") + ") END)",
                SqlType.TEXT);
    }

    private static boolean isLiteral(String sql) {
        boolean quoted = sql.length() >= 2 && sql.startsWith("'") && sql.endsWith("'");
        return quoted && sql.substring(1, sql.length() - 1).replace("''", "").indexOf('\'') < 0;
    }
}
