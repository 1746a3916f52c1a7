package dev.unjank.query.engine;

import dev.unjank.query.graph.GraphFunctions;
import dev.unjank.query.graph.GraphFunctions.StringFunction;
import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.RowsToColumns;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBScalarFunctionBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One DuckDB database in memory. The only class that runs statements through DuckDB's driver.
 *
 * <p>One thread at a time may run statements; any thread may {@link #interrupt}.
 */
public final class DuckDbEngine implements AutoCloseable {
    /** The name of a table while it is loaded. */
    private static final String INCOMING = "unjank_incoming";

    private final DuckDBConnection connection;
    private final @Nullable Path folder;
    private final Set<String> functions = new HashSet<>();
    private @Nullable Rows open;
    private boolean inTransaction;

    /** Number of databases attached so far; see {@link #clear}. */
    private int databases;

    /** The running statement; guarded by this. */
    private @Nullable Statement running;

    /** Number of statements started; guarded by this. */
    private long started;

    private DuckDbEngine(DuckDBConnection connection, @Nullable Path folder) {
        this.connection = connection;
        this.folder = folder;
    }

    /** Starts an engine with an empty database. */
    public static DuckDbEngine open(DuckDbSettings settings) throws QueryException {
        settings.deleteLeftovers();
        try {
            Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", settings.connection());
            DuckDbEngine engine = new DuckDbEngine(connection.unwrap(DuckDBConnection.class), settings.folder());
            for (String statement : settings.statements()) {
                engine.execute(statement);
            }
            return engine;
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, null);
        }
    }

    /** The folder for files that statements read and write; null if file access is disabled. */
    public @Nullable Path folder() {
        return folder;
    }

    /** Runs a query with only BIGINT and DOUBLE columns, and reads the result column by column. */
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
     * Runs one statement in DuckDB's dialect and reads its result completely. Rows of the previous statement are
     * closed.
     */
    public Rows run(String sql) throws QueryException {
        closeOpen();
        Statement statement = null;
        try {
            statement = connection.createStatement();
            begin(statement);
            ResultSet results = statement.execute(sql) ? statement.getResultSet() : null;
            Rows rows = new JdbcRows(statement, results);
            open = rows;
            return rows;
        } catch (SQLException e) {
            close(statement);
            throw DuckDbErrors.translate(e, sql);
        } finally {
            end();
        }
    }

    /** Runs one statement if {@link ReadOnlyCheck} accepts it. */
    public Rows runReadOnly(String sql) throws QueryException {
        try (Rows tree = run("SELECT json_serialize_sql(" + SqlQuoting.text(sql) + "::VARCHAR)")) {
            ReadOnlyCheck.check(tree.next() ? (String) tree.get(0) : null);
        }
        return run(sql);
    }

    /**
     * Creates a definition's table or view, in the open transaction or in its own. If that fails the transaction stays
     * open until {@link #rollBack}: further interruptions may interrupt a rollback, too.
     */
    public void create(TableDefinition definition, BulkLoad load) throws QueryException {
        boolean ownTransaction = !inTransaction;
        if (ownTransaction) {
            begin();
        }
        fill(definition, load);
        if (ownTransaction) {
            commit();
        }
    }

    /** Replaces what exists: an interrupted commit may have succeeded. */
    private void fill(TableDefinition definition, BulkLoad load) throws QueryException {
        String name = SqlQuoting.name(definition.name());
        if (definition.view() != null) {
            execute("CREATE OR REPLACE VIEW " + name + " AS " + definition.view());
            return;
        }
        // The engine reads this memory on its own threads.
        try (Arena arena = Arena.ofShared()) {
            List<NativeTable> parts = definition.sources().stream()
                    .map(source -> source.rows(arena))
                    .toList();
            List<Rows.Column> stored = definition.stored(parts);
            boolean complete = stored.size() == definition.columns().size();
            String table = complete ? name : SqlQuoting.name(definition.name() + "#stored");
            String into = "CREATE OR REPLACE TABLE " + table + " AS ";
            for (NativeTable rows : parts) {
                copy(rows, into + "SELECT " + definition.projection(stored, rows) + " FROM " + INCOMING, load, arena);
                into = "INSERT INTO " + table + " ";
            }
            if (!complete) {
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

    /**
     * Drops the loaded table's name. After a failure this may fail, too: a failed transaction rejects further
     * statements.
     */
    private void drop(BulkLoad load, boolean done) throws QueryException {
        try {
            execute(load.dropStatement(INCOMING));
        } catch (QueryException e) {
            if (done) {
                throw e;
            }
        }
    }

    /**
     * Writes rows to a Parquet file, which the settings must allow. Bytes and integers of more than 64 bits are not
     * supported.
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
     * Drops all tables, views and macros. Much faster than opening another engine: a new database is attached in the
     * place of the previous one. After a failure the engine is unusable.
     */
    public void clear() throws QueryException {
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

    /** Registers a function of {@link GraphFunctions} by its name in the engine, unless it is registered. */
    void register(String name) throws QueryException {
        StringFunction function = GraphFunctions.inEngine(name);
        if (function == null || !functions.add(name)) {
            return;
        }
        try (DuckDBScalarFunctionBuilder builder = DuckDBFunctions.scalarFunction()) {
            builder.withName(name)
                    .withParameters(String.class, String.class)
                    .withReturnType(String.class)
                    .withFunction(function::apply)
                    .register(connection);
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, null);
        }
    }

    /** Begins a transaction. */
    public void begin() throws QueryException {
        inTransaction = true; // even if this is interrupted: the transaction may have begun
        execute("BEGIN TRANSACTION");
    }

    /** Commits the open transaction, if any. */
    public void commit() throws QueryException {
        if (inTransaction) {
            execute("COMMIT");
            inTransaction = false;
        }
    }

    /** Rolls back the open transaction, if any. */
    public void rollBack() {
        if (inTransaction) {
            inTransaction = false;
            try {
                execute("ROLLBACK");
            } catch (QueryException _) {
                // the engine has failed; the first failure is already reported
            }
        }
    }

    /** Runs one statement and discards its rows. */
    public void execute(String sql) throws QueryException {
        run(sql).close();
    }

    /** Interrupts the running statement, which then fails as {@link QueryException.Kind#INTERRUPTED}. Any thread. */
    public void interrupt() {
        Statement statement;
        synchronized (this) {
            statement = running;
        }
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException _) {
                // the statement has ended
            }
        }
    }

    /** Closes the engine and discards its database. */
    @Override
    public void close() {
        closeOpen();
        try {
            connection.close();
        } catch (SQLException _) {
            // the database is in memory: nothing to lose
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
        started++;
    }

    private synchronized void end() {
        running = null;
    }

    /** Unique number of the running statement; negative if none is running. Any thread. */
    public synchronized long runningStatement() {
        return running == null ? -1 : started;
    }

    private static void close(@Nullable Statement statement) {
        if (statement != null) {
            try {
                statement.close();
            } catch (SQLException _) {
                // it has not run
            }
        }
    }
}
