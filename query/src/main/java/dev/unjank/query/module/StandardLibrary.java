package dev.unjank.query.module;

import dev.unjank.query.source.SourceText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Perfetto's standard library: a resource with PerfettoSQL for each module, and an index of the names that each module
 * defines.
 */
public final class StandardLibrary {
    /** The module that is always included. */
    public static final String PRELUDE = "prelude";

    private StandardLibrary() {}

    /** Loaded on first use. */
    private static final class Index {
        static final Map<String, List<String>> DEFINES = index();
        static final Map<String, String> MODULES = modules();

        private static Map<String, List<String>> index() {
            Map<String, List<String>> index = new TreeMap<>();
            for (String line : text("modules.txt").lines().toList()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    List<String> words = List.of(line.split(" "));
                    index.put(words.getFirst(), words.subList(1, words.size()));
                }
            }
            return index;
        }

        private static Map<String, String> modules() {
            Map<String, String> modules = new HashMap<>();
            DEFINES.forEach((module, names) -> names.forEach(name -> modules.put(name, module)));
            return modules;
        }
    }

    /** All modules. */
    public static List<String> names() {
        return List.copyOf(Index.DEFINES.keySet());
    }

    /** The modules that a name, or a pattern with a trailing star, matches. */
    public static List<String> matching(String pattern) {
        String wanted = pattern.toLowerCase(Locale.ROOT);
        if (wanted.equals("*")) {
            return names();
        }
        if (wanted.endsWith(".*")) {
            String prefix = wanted.substring(0, wanted.length() - 1);
            return names().stream().filter(name -> name.startsWith(prefix)).toList();
        }
        return Index.DEFINES.containsKey(wanted) ? List.of(wanted) : List.of();
    }

    /**
     * The module that defines a table, view, function or macro; null if none does, and for names with a leading
     * underscore, which the index lacks.
     */
    public static @Nullable String moduleDefining(String name) {
        return Index.MODULES.get(name);
    }

    /** The text of a module. */
    public static SourceText read(String module) {
        return new SourceText(module, text(module.replace('.', '/') + ".sql"));
    }

    /** Reads a resource next to this class. */
    static String text(String file) {
        try (InputStream in = StandardLibrary.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the standard library lacks " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
