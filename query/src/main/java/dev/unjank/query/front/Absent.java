package dev.unjank.query.front;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What Perfetto has under a name and this library has not, so that a mistake can say why. */
final class Absent {
    private static final String FILE = "absent.txt";

    private Absent() {}

    /** Why there is nothing of a name, a table's, a function's or a module's; null if it is no name that Perfetto is known to have. */
    static @Nullable String reason(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (String line : Modules.text(FILE).lines().toList()) {
            List<String> parts = List.of(line.split(" \\| ", 2));
            if (parts.size() == 2 && stands(parts.get(0), wanted)) {
                return parts.get(1);
            }
        }
        return null;
    }

    private static boolean stands(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }
}
