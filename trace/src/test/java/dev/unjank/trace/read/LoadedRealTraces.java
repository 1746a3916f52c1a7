package dev.unjank.trace.read;

import dev.unjank.trace.model.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Traces of real devices, each read once for all tests, and the tables of Perfetto's trace processor for them. */
public final class LoadedRealTraces {
    private static final Map<String, Trace> LOADED = new HashMap<>();

    private LoadedRealTraces() {}

    static Path file(String name) {
        return dev.unjank.fixture.RealTraces.file(name);
    }

    public static synchronized Trace load(String name) {
        Path file = file(name);
        return LOADED.computeIfAbsent(name, n -> {
            try {
                return TraceReader.read(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The rows of an expected table, without its header. */
    public static List<List<String>> expected(String trace, String table) throws IOException {
        return dev.unjank.fixture.RealTraces.expected(trace, table);
    }
}
