package dev.unjank.query.module;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What Perfetto has under a name and this library has not, so that a mistake can say why. */
public final class UnsupportedNames {
    private static final String FILE = "unsupported.txt";

    private UnsupportedNames() {}

    /** Why there is nothing of a name, a table's, a function's or a module's; null if it is no name that Perfetto is known to have. */
    public static @Nullable String reason(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (String line : StandardLibrary.text(FILE).lines().toList()) {
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
