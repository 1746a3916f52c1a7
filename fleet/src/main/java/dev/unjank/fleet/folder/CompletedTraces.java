package dev.unjank.fleet.folder;

import dev.unjank.fleet.input.TraceArchive;
import dev.unjank.fleet.task.TaskQuery;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The names of the traces that a {@link FleetFolder} already has results of: rows or a failure. */
public record CompletedTraces(NavigableSet<String> asked, NavigableSet<String> skipped) {
    /** Reads all names. */
    public static CompletedTraces of(Path folder) throws IOException {
        CompletedTraces known = new CompletedTraces(new TreeSet<>(), new TreeSet<>());
        Path real = folder.toRealPath();
        eachAsked(real, known.asked::add);
        eachSkipped(real, known.skipped::add);
        return known;
    }

    /** Passes on the names of traces with rows or a failure. The folder is a real path. */
    public static void eachAsked(Path folder, Consumer<String> sink) throws IOException {
        each(folder, "trace", TaskQuery.TRACES, sink);
        each(folder, "file", TaskQuery.FAILURES, sink);
    }

    /** Passes on the names of skipped files. The folder is a real path. */
    public static void eachSkipped(Path folder, Consumer<String> sink) throws IOException {
        each(folder, "file", TaskQuery.SKIPPED, sink);
    }

    private static void each(Path folder, String column, String table, Consumer<String> sink) throws IOException {
        if (!FleetFolder.tables(folder).contains(table)) {
            return;
        }
        String files = FleetFolder.glob(folder, table);
        try (Engine engine = Engine.open(new EngineOptions(0, 1, null, null).withFolder(folder), List.of());
                Rows rows = engine.run("SELECT " + column + " FROM read_parquet(" + files + ")")) {
            while (rows.next()) {
                sink.accept(String.valueOf(rows.get(0)));
            }
        } catch (QueryException e) {
            throw new IOException(folder + ": cannot resume the run: " + e.getMessage(), e);
        }
    }

    /** The names of the completed traces in an archive, and the archive's name if the archive failed. */
    public Set<String> within(String archive) {
        Set<String> within = new HashSet<>();
        for (NavigableSet<String> names : List.of(asked, skipped)) {
            if (names.contains(archive)) {
                within.add(archive);
            }
            within.addAll(
                    names.subSet(archive + TraceArchive.WITHIN, archive + "!0")); // '0' is the character after '/'
        }
        return within;
    }
}
