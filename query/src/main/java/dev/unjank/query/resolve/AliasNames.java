package dev.unjank.query.resolve;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Names within one statement of the engine's SQL. Each is given once, so that what is put into it cannot catch a foreign name. */
public final class AliasNames {
    private final Set<String> taken = new HashSet<>();

    String fresh(String wanted) {
        String base = wanted.length() <= 60 ? wanted : wanted.substring(0, 60);
        String name = base;
        for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
            name = base + "_" + i;
        }
        return quoted(name);
    }

    static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    public static String string(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
