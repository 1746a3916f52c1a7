package dev.unjank.query.module;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names that Perfetto defines and this library does not, with the reason for error messages. */
public final class UnsupportedNames {
    private static final String FILE = "unsupported.txt";

    private UnsupportedNames() {}

    /** The reason why a table, function or module is not supported; null if the name is unknown. */
    public static @Nullable String reason(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (String line : StandardLibrary.text(FILE).lines().toList()) {
            List<String> parts = List.of(line.split(" \\| ", 2));
            if (parts.size() == 2 && matches(parts.get(0), wanted)) {
                return parts.get(1);
            }
        }
        return null;
    }

    private static boolean matches(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }
}
