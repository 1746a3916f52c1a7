package dev.unjank.query.front;

import java.util.Collection;
import java.util.Locale;

/** The name that was probably meant. */
final class Suggestion {
    private Suggestion() {}

    /** {@code ", did you mean x?"}, or an empty text if no name is like the one that was written. */
    static String of(String written, Collection<String> names) {
        String wanted = written.toLowerCase(Locale.ROOT);
        int allowed = Math.min(3, wanted.length() / 3);
        String best = null;
        for (String name : names) {
            if (Math.abs(name.length() - wanted.length()) > allowed) {
                continue;
            }
            int distance = distance(wanted, name.toLowerCase(Locale.ROOT));
            if (distance <= allowed && (distance < allowed || best == null)) {
                best = name;
                allowed = distance;
            }
        }
        return best == null ? "" : ", did you mean " + best + "?";
    }

    /** How many characters have to be changed, added or removed (Levenshtein). */
    private static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(before[j], row[j - 1]) + 1);
            }
            before = row;
        }
        return before[b.length()];
    }
}
