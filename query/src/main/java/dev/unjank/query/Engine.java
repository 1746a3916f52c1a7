package dev.unjank.query;

import dev.unjank.query.engine.DuckDbErrors;
import dev.unjank.query.engine.NumericColumns;
import dev.unjank.query.engine.ReadOnlyCheck;
import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.RowsToColumns;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;

/**
 * A columnar SQL engine in this process with a database in memory: DuckDB, and the only place that knows its driver.
 *
 * <p>Statements cannot touch files, load extensions or change settings but for files in {@link EngineOptions#folder}: they
 * may come from anywhere.
 *
 * <p>One thread at a time may run statements; any thread may {@link #interrupt}.
 */
public final class Engine implements AutoCloseable {
    /** What a table on its way in is called. */
    private static final String INCOMING = "unjank_incoming";

    private static final String PREFIX = ".unjank-";
    private static final String SUFFIX = ".tmp";

    /** A folder for what does not fit into memory, which the engine makes and removes. */
    private static final String TEMPORARY = ProcessTempFiles.name(PREFIX, SUFFIX);

    private final DuckDBConnection connection;
    private final @Nullable Path folder;
    private @Nullable Rows open;
    private boolean inTransaction;

    /** How many databases there have been; see {@link #clear}. */
    private int databases;

    /** What runs now; guarded by this. */
    private @Nullable Statement running;

    /** How many statements have been begun; guarded by this. */
    private long begun;

    private Engine(DuckDBConnection connection, @Nullable Path folder) {
        this.connection = connection;
        this.folder = folder;
    }

    /**
     * Starts an engine with an empty database.
     *
     * @param options what it may use
     * @param settings statements to begin with, before the settings are locked
     * @return the engine, to be closed
     * @throws QueryException if it does not start, for example where there is no native library for this machine
     */
    public static Engine open(EngineOptions options, List<String> settings) throws QueryException {
        Path shared = options.folder();
        if (shared != null) {
            ProcessTempFiles.deleteLeftovers(shared, PREFIX, SUFFIX);
        }
        try {
            Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", settings(options));
            Engine engine = new Engine(connection.unwrap(DuckDBConnection.class), options.folder());
            for (String setting : settings) {
                engine.execute(setting);
            }
            engine.lock(options);
            return engine;
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, null);
        }
    }

    /** Where statements may read and write files; null if nowhere. */
    @Nullable
    Path folder() {
        return folder;
    }

    /** Runs a query whose columns are all BIGINT or DOUBLE, for a reader in a hurry. */
    public NumericColumns read(String sql) throws QueryException {
        closeOpen();
        try (DuckDBPreparedStatement statement = connection.prepare(sql)) {
            begin(statement);
            try (DuckDBChunkedResult result = statement.query()) {
                NumericColumns columns = new NumericColumns((int) result.columnCount());
                while (result.nextChunk()) {
                    columns.add(result.chunk());
                }
                return columns;
            }
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, sql);
        } finally {
            end();
        }
    }

    /**
     * Runs one statement in DuckDB's dialect. Rows that are still open from the statement before are closed.
     *
     * @param sql the statement
     * @return its rows, all of which are there already
     * @throws QueryException if it is wrong, fails or is interrupted
     */
    public Rows run(String sql) throws QueryException {
        closeOpen();
        Statement statement = null;
        try {
            statement = connection.createStatement();
            begin(statement);
            ResultSet results = statement.execute(sql) ? statement.getResultSet() : null;
            Rows rows = new Rows(statement, results);
            open = rows;
            return rows;
        } catch (SQLException e) {
            close(statement);
            throw DuckDbErrors.translate(e, sql);
        } finally {
            end();
        }
    }

    /**
     * Runs one statement that only reads, whatever files the engine's options allow it to write.
     *
     * @param sql the statement
     * @return its rows, all of which are there already
     * @throws QueryException if it may do something else than read, is wrong, fails or is interrupted
     */
    public Rows runReadOnly(String sql) throws QueryException {
        try (Rows tree = run("SELECT json_serialize_sql(" + SqlQuoting.text(sql) + "::VARCHAR)")) {
            ReadOnlyCheck.check(tree.next() ? (String) tree.get(0) : null);
        }
        return run(sql);
    }

    /**
     * Makes a table of a definition's rows, or a view of its query, in the transaction that is open or else in its own. If that fails
     * the transaction stays open until {@link #rollBack}: as long as interruptions come in, a rollback may itself be interrupted.
     */
    public void create(TableDefinition definition, BulkLoad load) throws QueryException {
        boolean alone = !inTransaction;
        if (alone) {
            begin();
        }
        fill(definition, load);
        if (alone) {
            commit();
        }
    }

    /** A commit that was interrupted may have been done all the same, hence the replacing. */
    private void fill(TableDefinition definition, BulkLoad load) throws QueryException {
        String name = SqlQuoting.name(definition.name());
        if (definition.view() != null) {
            execute("CREATE OR REPLACE VIEW " + name + " AS " + definition.view());
            return;
        }
        // Threads of the engine read this memory.
        try (Arena arena = Arena.ofShared()) {
            List<NativeTable> parts =
                    definition.parts().stream().map(part -> part.rows(arena)).toList();
            List<Rows.Column> stored = definition.stored(parts);
            boolean whole = stored.size() == definition.columns().size();
            String table = whole ? name : SqlQuoting.name(definition.name() + "#stored");
            String into = "CREATE OR REPLACE TABLE " + table + " AS ";
            for (NativeTable rows : parts) {
                copy(rows, into + "SELECT " + definition.projection(stored, rows) + " FROM " + INCOMING, load, arena);
                into = "INSERT INTO " + table + " ";
            }
            if (!whole) {
                execute("CREATE OR REPLACE VIEW " + name + " AS SELECT " + definition.completion(stored, parts)
                        + " FROM " + table);
            }
        }
    }

    private void copy(NativeTable rows, String statement, BulkLoad load, Arena arena) throws QueryException {
        boolean done = false;
        try {
            load.expose(connection, INCOMING, rows, arena);
            execute(statement);
            done = true;
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, null);
        } finally {
            drop(load, done);
        }
    }

    /** Takes a name back. After a failure that may fail, too: a transaction in which something failed takes no more statements. */
    private void drop(BulkLoad load, boolean wanted) throws QueryException {
        try {
            execute(load.dropping(INCOMING));
        } catch (QueryException e) {
            if (wanted) {
                throw e;
            }
        }
    }

    /**
     * Writes rows that were made elsewhere to a Parquet file, which the engine's options must allow.
     *
     * @param columns name and type of each; numbers beyond 64 bits and bytes have no place in such a file
     * @param rows for each row a value for each column, as {@link Rows#get} gives them
     * @param file where to; what is there is replaced
     * @throws QueryException if a value does not fit its column, or the file cannot be written
     */
    public void export(List<Rows.Column> columns, List<@Nullable Object[]> rows, Path file) throws QueryException {
        try (Arena arena = Arena.ofShared()) {
            NativeTable table = RowsToColumns.inNativeMemory(columns, rows, arena);
            String projection = new TableDefinition(INCOMING, columns, List.of(), null).projection(columns, table);
            String target = SqlQuoting.text(file.toAbsolutePath().toString());
            copy(
                    table,
                    "COPY (SELECT " + projection + " FROM " + INCOMING + ") TO " + target
                            + " (FORMAT parquet, USE_TMP_FILE false)",
                    BulkLoad.ARROW,
                    arena);
        }
    }

    /**
     * Forgets all tables, views and macros, so that the engine is as it was when it was opened; opening another takes many times as
     * long. What is made is in a database of its own from now on, which the next call puts another one in the place of.
     *
     * @throws QueryException if that fails, which leaves the engine of no use
     */
    void clear() throws QueryException {
        rollBack();
        execute("ATTACH ':memory:' AS " + database(databases + 1));
        execute("USE " + database(databases + 1));
        if (databases > 0) {
            execute("DETACH " + database(databases));
        }
        databases++;
    }

    private static String database(int number) {
        return "unjank_" + number;
    }

    /** Begins what is done as a whole or not at all. */
    public void begin() throws QueryException {
        inTransaction = true; // also if it is interrupted, for it may have begun
        execute("BEGIN TRANSACTION");
    }

    /** Keeps what has been done since {@link #begin}; without that all is kept already. */
    void commit() throws QueryException {
        if (inTransaction) {
            execute("COMMIT");
            inTransaction = false;
        }
    }

    /** Takes back what has been done since {@link #begin} and was not kept. */
    public void rollBack() {
        if (inTransaction) {
            inTransaction = false;
            try {
                execute("ROLLBACK");
            } catch (QueryException _) {
                // the engine has failed altogether, and why is being told already
            }
        }
    }

    /** Runs one statement whose rows nobody wants. */
    public void execute(String sql) throws QueryException {
        run(sql).close();
    }

    /** Stops the statement that is running, which then fails as {@link QueryException.Kind#INTERRUPTED}. Any thread. */
    public void interrupt() {
        Statement statement;
        synchronized (this) {
            statement = running;
        }
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException _) {
                // it has ended
            }
        }
    }

    /** Ends the engine; its database is gone. */
    @Override
    public void close() {
        closeOpen();
        try {
            connection.close();
        } catch (SQLException _) {
            // the database was in memory: nothing is lost
        }
    }

    private void closeOpen() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    private synchronized void begin(Statement statement) {
        running = statement;
        begun++;
    }

    private synchronized void end() {
        running = null;
    }

    /** Which statement is running, a number that no other has; negative if none is. Any thread. */
    public synchronized long statement() {
        return running == null ? -1 : begun;
    }

    private static void close(@Nullable Statement statement) {
        if (statement != null) {
            try {
                statement.close();
            } catch (SQLException _) {
                // it never ran
            }
        }
    }

    private static Properties settings(EngineOptions options) {
        Properties settings = new Properties();
        settings.setProperty("errors_as_json", "true");
        // Rows that come while the statement runs would lose the reason why it fails.
        settings.setProperty("jdbc_stream_results", "false");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("memory_limit", options.memoryLimit() == 0 ? "50%" : options.memoryLimit() + "B");
        if (options.threads() > 0) {
            settings.setProperty("threads", Integer.toString(options.threads()));
        }
        Path folder = options.folder();
        settings.setProperty(
                "temp_directory",
                folder == null ? "" : folder.resolve(TEMPORARY).toString());
        return settings;
    }

    private void lock(EngineOptions options) throws QueryException {
        Path output = options.outputFile();
        if (output != null) {
            execute("SET allowed_paths = ["
                    + SqlQuoting.text(output.toAbsolutePath().toString()) + "]");
        }
        Path folder = options.folder();
        if (folder != null) {
            execute("SET allowed_directories = [" + SqlQuoting.text(folder.toString()) + "]");
        }
        execute("SET enable_external_access = false");
        execute("SET lock_configuration = true");
    }
}
