package dev.unjank.query.resolve;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Unique aliases within one statement of DuckDB's SQL, so that inlined function bodies cannot capture outer names. */
final class AliasNames {
    private final Set<String> taken = new HashSet<>();

    /** An alias that this object has not returned before. */
    String fresh(String wanted) {
        String base = wanted.length() <= 60 ? wanted : wanted.substring(0, 60);
        String name = base;
        for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
            name = base + "_" + i;
        }
        return name;
    }
}
