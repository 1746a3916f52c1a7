package dev.unjank.query.parse;

import java.util.HashMap;
import java.util.Map;

/** All macros in Java, by name. */
public final class BuiltInMacros {
    public static final Map<String, Macro> ALL = all();

    private BuiltInMacros() {}

    private static Map<String, Macro> all() {
        Map<String, Macro> all = new HashMap<>(IntervalMacros.ALL);
        all.putAll(GraphMacros.ALL);
        return Map.copyOf(all);
    }
}
