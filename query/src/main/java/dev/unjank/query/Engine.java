package dev.unjank.query;

import dev.unjank.query.engine.DuckDbEngine;
import dev.unjank.query.engine.DuckDbSettings;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB, a columnar SQL engine, in this process with a database in memory.
 *
 * <p>Statements may be untrusted: they cannot access files outside {@link EngineOptions#folder}, load extensions or
 * change settings.
 *
 * <p>One thread at a time may run statements; any thread may {@link #interrupt}.
 */
public final class Engine implements AutoCloseable {
    private final DuckDbEngine duckDb;

    private Engine(DuckDbEngine duckDb) {
        this.duckDb = duckDb;
    }

    /**
     * Starts an engine with an empty database.
     *
     * @param options its limits
     * @param statements settings in DuckDB's dialect, run before the configuration is locked
     * @return the engine, which the caller closes
     * @throws QueryException if the engine does not start, for example without a native library for this machine
     */
    public static Engine open(EngineOptions options, List<String> statements) throws QueryException {
        return new Engine(DuckDbEngine.open(DuckDbSettings.of(
                options.memoryLimit(), options.threads(), options.folder(), options.outputFile(), statements)));
    }

    DuckDbEngine duckDb() {
        return duckDb;
    }

    /**
     * Runs one statement in DuckDB's dialect. The {@link Rows} of the previous statement are closed and can no
     * longer be read.
     *
     * @param sql the statement
     * @return all of its rows, in memory
     * @throws QueryException if the statement is wrong, fails or is interrupted
     */
    public Rows run(String sql) throws QueryException {
        return duckDb.run(sql);
    }

    /**
     * Runs one statement that only reads, even if the engine's options allow writing files.
     *
     * @param sql the statement
     * @return all of its rows, in memory
     * @throws QueryException if the statement may write, is wrong, fails or is interrupted
     */
    public Rows runReadOnly(String sql) throws QueryException {
        return duckDb.runReadOnly(sql);
    }

    /**
     * Writes rows to a Parquet file, which the engine's options must allow.
     *
     * @param columns name and type of each column; BLOB columns, and integers of more than 64 bits, are not supported
     * @param rows one value per column for each row, of the types that {@link Rows#get} returns
     * @param file the file to write or replace
     * @throws QueryException if a value does not fit its column, or the file cannot be written
     */
    public void export(List<Rows.Column> columns, List<@Nullable Object[]> rows, Path file) throws QueryException {
        duckDb.export(columns, rows, file);
    }

    /** Interrupts the running statement, which then fails as {@link QueryException.Kind#INTERRUPTED}. Any thread. */
    public void interrupt() {
        duckDb.interrupt();
    }

    /** Closes the engine and discards its database. */
    @Override
    public void close() {
        duckDb.close();
    }
}
