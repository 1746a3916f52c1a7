package dev.unjank.query.source;

import java.util.Collection;
import java.util.Locale;

/** Suggests a known name for a misspelt one. */
public final class NameSuggestion {
    private NameSuggestion() {}

    /** Returns {@code ", did you mean x?"}; an empty string if no name is similar, or if one is equal. */
    public static String of(String written, Collection<String> names) {
        String wanted = written.toLowerCase(Locale.ROOT);
        int allowed = Math.min(3, wanted.length() / 3);
        String best = null;
        for (String name : names) {
            if (Math.abs(name.length() - wanted.length()) > allowed) {
                continue;
            }
            int distance = distance(wanted, name.toLowerCase(Locale.ROOT));
            if (distance == 0) {
                return "";
            }
            if (distance <= allowed && (distance < allowed || best == null)) {
                best = name;
                allowed = distance;
            }
        }
        return best == null ? "" : ", did you mean " + best + "?";
    }

    /** Edit distance with transpositions (optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            rows[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            rows[i][0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int edited =
                        Math.min(rows[i - 1][j - 1] + (same ? 0 : 1), Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                rows[i][j] = swapped ? Math.min(edited, rows[i - 2][j - 2] + 1) : edited;
            }
        }
        return rows[a.length()][b.length()];
    }
}
