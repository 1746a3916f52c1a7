package dev.unjank.fleet.folder;

import dev.unjank.fleet.task.TaskQuery;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.query.result.Rows;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a fleet as a DuckDB database, with a view per table. It can be used while a run still adds rows, and
 * after a run was killed. Statements can only read, and only files in the fleet's folder.
 *
 * <p>Not thread-safe.
 */
public final class FleetDatabase implements AutoCloseable {
    /** The app startups, each once, with the time to the first frame. */
    public static final String APP_STARTUPS = """
            SELECT trace, any_value(device) AS device, any_value(os_build) AS os_build, any_value(app) AS app,
                any_value(app_version) AS app_version, max(first_frame_ts) - max(ts) AS dur
            FROM startups WHERE first_frame_ts > ts GROUP BY trace, id""";

    private final Engine engine;
    private final Path folder;
    private final Set<String> tables;

    private FleetDatabase(Engine engine, Path folder, Set<String> tables) {
        this.engine = engine;
        this.folder = folder;
        this.tables = tables;
    }

    /** Receives the rows. */
    @FunctionalInterface
    public interface RowSink {
        void accept(@Nullable Object[] values);
    }

    /** Opens a fleet. The caller closes the database. */
    public static FleetDatabase open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new UnusableTraceException(folder + ": no such folder");
        }
        Path real = folder.toRealPath();
        Set<String> tables = FleetFolder.tables(real);
        if (tables.isEmpty()) {
            throw new UnusableTraceException(folder + ": not an output folder of unjank fleet");
        }
        Path description = real.resolve(FleetFolder.DESCRIPTION);
        if (Files.exists(description)) {
            FleetFolder.refuseOtherFormat(folder.toString(), Files.readString(description));
        }
        try {
            Engine engine = Engine.open(new EngineOptions(0, 0, null, null).withFolder(real), List.of());
            FleetDatabase database = new FleetDatabase(engine, folder, tables);
            for (String table : tables) {
                database.define(
                        table,
                        "SELECT * FROM read_parquet(" + FleetFolder.glob(real, table)
                                + ", union_by_name = true, hive_partitioning = false)");
            }
            if (!tables.contains(TaskQuery.FAILURES)) {
                database.define(TaskQuery.FAILURES, "SELECT '' AS file, '' AS reason, 0::BIGINT AS bytes WHERE false");
            }
            if (!tables.contains(TaskQuery.SKIPPED)) {
                database.define(TaskQuery.SKIPPED, "SELECT '' AS file, 0::BIGINT AS bytes WHERE false");
            }
            return database;
        } catch (QueryException e) {
            throw new IOException(folder + ": " + e.getMessage(), e);
        }
    }

    private void define(String table, String rows) throws QueryException {
        engine.run("CREATE VIEW \"" + table.replace("\"", "\"\"") + "\" AS " + rows)
                .close();
    }

    /** Fails unless the fleet has the doctor's tables. */
    public void requireDoctor() throws IOException {
        if (!tables.contains(TaskQuery.TRACES)) {
            String rest = tables.contains(TaskQuery.FAILURES) ? TaskQuery.FAILURES : TaskQuery.SKIPPED;
            throw new UnusableTraceException(folder + ": no trace could be read; see unjank fleet query "
                    + OpenTraceCommand.word(folder.toString()) + " \"FROM " + rest + "\"");
        }
        if (!tables.contains(TaskQuery.SUMMARIES)) {
            throw new UnusableTraceException(
                    folder + ": was written with fleet -f, so it has no doctor tables; use unjank fleet query");
        }
    }

    /** Runs a read-only statement in DuckDB's SQL. Fails if the statement is invalid or may write. */
    public void query(String sql, ResultWriter writer) throws QueryException {
        try (Rows rows = engine.runReadOnly(sql)) {
            if (!rows.columns().isEmpty()) {
                writer.write(rows);
            }
        }
    }

    /** {@return its folder, as the user gave it} */
    public Path folder() {
        return folder;
    }

    /** Runs a query and passes on its rows. */
    public void each(String sql, RowSink sink) throws IOException {
        try (Rows rows = engine.run(sql)) {
            while (rows.next()) {
                @Nullable Object[] values = new @Nullable Object[rows.columns().size()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = rows.get(i);
                }
                sink.accept(values);
            }
        } catch (QueryException e) {
            throw new IOException(folder + ": " + e.getMessage(), e);
        }
    }

    /** Runs a query and returns its rows. */
    public List<@Nullable Object[]> all(String sql) throws IOException {
        List<@Nullable Object[]> all = new ArrayList<>();
        each(sql, all::add);
        return all;
    }

    @Override
    public void close() {
        engine.close();
    }
}
