package dev.unjank.query;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;

/**
 * A columnar SQL engine in this process with a database in memory: DuckDB, and the only place that knows its driver.
 *
 * <p>Statements cannot touch files, load extensions or change settings unless {@link EngineOptions#allowFiles} says so:
 * they may come from anywhere.
 *
 * <p>One thread at a time may run statements; any thread may {@link #interrupt}.
 */
public final class Engine implements AutoCloseable {
    private final DuckDBConnection connection;
    private @Nullable Rows open;

    /** What runs now; guarded by this. */
    private @Nullable Statement running;

    private Engine(DuckDBConnection connection) {
        this.connection = connection;
    }

    /**
     * Starts an engine with an empty database.
     *
     * @param options what it may use
     * @return the engine, to be closed
     * @throws QueryException if it does not start, for example where there is no native library for this machine
     */
    public static Engine open(EngineOptions options) throws QueryException {
        try {
            Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", settings(options));
            Engine engine = new Engine(connection.unwrap(DuckDBConnection.class));
            engine.lock(options);
            return engine;
        } catch (SQLException e) {
            throw EngineErrors.translate(e, null);
        }
    }

    /**
     * Runs one statement in DuckDB's dialect. Rows that are still open from the statement before are closed.
     *
     * @param sql the statement
     * @return its rows; the statement may still be at work while they are read
     * @throws QueryException if it is wrong, fails or is interrupted
     */
    public Rows run(String sql) throws QueryException {
        if (open != null) {
            open.close();
            open = null;
        }
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
            throw EngineErrors.translate(e, sql);
        }
    }

    /** Runs one statement whose rows nobody wants. */
    void execute(String sql) throws QueryException {
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
        if (open != null) {
            open.close();
        }
        try {
            connection.close();
        } catch (SQLException _) {
            // the database was in memory: nothing is lost
        }
    }

    private synchronized void begin(Statement statement) {
        running = statement;
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
        settings.setProperty("jdbc_stream_results", "true");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("memory_limit", options.memoryLimit() == 0 ? "50%" : options.memoryLimit() + "B");
        if (options.threads() > 0) {
            settings.setProperty("threads", Integer.toString(options.threads()));
        }
        if (!options.allowFiles()) {
            settings.setProperty("temp_directory", "");
        }
        Path output = options.outputFile();
        if (output != null) {
            settings.setProperty("allowed_paths", "['" + output.toAbsolutePath().toString().replace("'", "''") + "']");
        }
        return settings;
    }

    private void lock(EngineOptions options) throws QueryException {
        if (!options.allowFiles()) {
            execute("SET enable_external_access = false");
            execute("SET lock_configuration = true");
        }
    }
}
