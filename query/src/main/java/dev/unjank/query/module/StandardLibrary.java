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

/** The standard library: modules of PerfettoSQL, kept beside this class. Their list says what each defines. */
public final class StandardLibrary {
    /** What is there without being included. */
    public static final String PRELUDE = "prelude";

    private StandardLibrary() {}

    /** Read when the first module is asked for. */
    private static final class Index {
        static final Map<String, List<String>> DEFINES = index();
        static final Map<String, String> HOMES = homes();

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

        private static Map<String, String> homes() {
            Map<String, String> homes = new HashMap<>();
            DEFINES.forEach((module, names) -> names.forEach(name -> homes.put(name, module)));
            return homes;
        }
    }

    /** All modules that can be included. */
    public static List<String> names() {
        return List.copyOf(Index.DEFINES.keySet());
    }

    /** The modules that a name, or a pattern that ends in a star, stands for. */
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
     * The module that defines a table, a view, a function or a macro; null if none does, or if the name begins with an underscore,
     * for such names are not listed.
     */
    public static @Nullable String homeOf(String name) {
        return Index.HOMES.get(name);
    }

    public static SourceText read(String module) {
        return new SourceText(module, text(module.replace('.', '/') + ".sql"));
    }

    /** A file that lies beside the modules. */
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
