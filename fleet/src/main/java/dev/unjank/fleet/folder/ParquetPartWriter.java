package dev.unjank.fleet.folder;

import dev.unjank.fleet.task.ResultColumn;
import dev.unjank.fleet.task.ResultTable;
import dev.unjank.fleet.task.TraceResult;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.result.QueryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes results to a folder, with one Parquet file per table. Rows with other columns and later batches are written to
 * further files, such as {@code result.2.parquet}.
 *
 * <p>Not thread-safe.
 */
public final class ParquetPartWriter implements AutoCloseable {
    private static final String DISK_FULL = "No space left on device";

    private final Engine engine;

    /** Creates a writer. Fails if the folder does not exist or the engine cannot be started. */
    public ParquetPartWriter(Path folder) throws IOException {
        try {
            engine = Engine.open(new EngineOptions(0, 1, null, null).withFolder(folder), List.of());
        } catch (QueryException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private record Shape(String name, List<ResultColumn> columns) {}

    /** Writes a part, or adds files to it. Its folder is created if missing. */
    public void write(List<TraceResult> outcomes, Path folder) throws IOException {
        Map<Shape, List<@Nullable Object[]>> rows = new LinkedHashMap<>();
        for (TraceResult outcome : outcomes) {
            for (ResultTable table : outcome.tables()) {
                rows.computeIfAbsent(new Shape(table.name(), table.columns()), _ -> new ArrayList<>())
                        .addAll(table.rows());
            }
        }
        Files.createDirectories(folder);
        for (Map.Entry<Shape, List<@Nullable Object[]>> table : rows.entrySet()) {
            Path file = unused(folder, table.getKey().name());
            try {
                engine.export(
                        table.getKey().columns().stream()
                                .map(ResultColumn::forEngine)
                                .toList(),
                        table.getValue(),
                        file);
            } catch (QueryException e) {
                throw new IOException(file + ": " + reason(e), e);
            }
        }
    }

    private static Path unused(Path folder, String table) {
        Path file = folder.resolve(table + ".parquet");
        for (int number = 2; Files.exists(file); number++) {
            file = folder.resolve(table + "." + number + ".parquet");
        }
        return file;
    }

    /** The system's message, without the engine's. */
    private static String reason(QueryException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains(DISK_FULL) ? DISK_FULL : message;
    }

    @Override
    public void close() {
        engine.close();
    }
}
