package dev.unjank.trace.read;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.trace.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Traces of real devices, and what Perfetto's trace processor says of them. They lie beside a checkout and never in it; where
 * they are missing, the tests that need them are skipped.
 */
final class RealTraces {
    private static final Map<String, Trace> LOADED = new HashMap<>();
    private static boolean absenceTold;

    private RealTraces() {}

    /** Where they lie, or would. */
    private static synchronized Path folder() {
        String given = System.getenv("UNJANK_TRACES");
        Path folder = (given != null
                        ? Path.of(given)
                        : Path.of(System.getProperty("unjank.root", "."), "..", "shared", "traces"))
                .toAbsolutePath()
                .normalize();
        if (!Files.isDirectory(folder)) {
            if (given != null) {
                fail("UNJANK_TRACES names no folder: " + folder);
            }
            if (!absenceTold) {
                absenceTold = true;
                System.err.println(
                        "Real traces not found at " + folder + ": their tests are skipped; set UNJANK_TRACES.");
            }
        }
        return folder;
    }

    static Path file(String name) {
        Path file = folder().resolve(name);
        assumeTrue(Files.exists(file), "skipped: the real traces are not here (" + file + ")");
        return file;
    }

    static synchronized Trace load(String name) {
        Path file = file(name);
        return LOADED.computeIfAbsent(name, n -> {
            try {
                return TraceReader.read(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The rows of a table of expected values, without its head. */
    static List<List<String>> expected(String trace, String table) throws IOException {
        String base = trace.substring(0, trace.indexOf('.'));
        List<List<String>> rows = new ArrayList<>();
        List<String> lines = Files.readAllLines(file("expected/" + base + "." + table + ".csv"));
        for (String line : lines.subList(1, lines.size())) {
            rows.add(cells(line));
        }
        return rows;
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
