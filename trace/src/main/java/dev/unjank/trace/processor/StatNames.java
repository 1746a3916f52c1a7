package dev.unjank.trace.processor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names of trace processor's statistics, from a resource. */
final class StatNames {
    /** A statistic: its number, -1 if unknown, whether it has an index, and whether it belongs to no machine. */
    record Stat(String name, int key, String severity, String source, boolean indexed, boolean global) {}

    private static final Map<String, Stat> STATS = read();

    private StatNames() {}

    static List<Stat> all() {
        return List.copyOf(STATS.values());
    }

    static Stat of(String name) {
        Stat known = STATS.get(name);
        return known == null ? new Stat(name, -1, "info", "analysis", false, false) : known;
    }

    private static Map<String, Stat> read() {
        Map<String, Stat> stats = new LinkedHashMap<>();
        try (InputStream in = StatNames.class.getResourceAsStream("stats.txt")) {
            if (in == null) {
                throw new IllegalStateException("stats.txt is missing");
            }
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList()) {
                List<String> words = List.of(line.split(" "));
                boolean indexed = words.contains("indexed");
                boolean global = words.contains("global");
                Stat stat = new Stat(
                        words.get(0), Integer.parseInt(words.get(1)), words.get(2), words.get(3), indexed, global);
                stats.put(stat.name, stat);
            }
            return stats;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
