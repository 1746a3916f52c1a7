package dev.unjank.query;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.query.engine.AllowedFolder;
import dev.unjank.query.engine.DuckDbEngine;
import dev.unjank.query.engine.SpanJoinExecutor;
import dev.unjank.query.engine.StatementWatchdog;
import dev.unjank.query.engine.TableCatalog;
import dev.unjank.query.load.ArrowStream;
import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.print.DuckDbPrinter;
import dev.unjank.query.resolve.EngineStep;
import dev.unjank.query.resolve.PerfettoSqlTranslator;
import dev.unjank.query.result.DynamicRows;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.query.result.Rows;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.tables.DiagnosisTables;
import dev.unjank.query.tables.SharedStrings;
import dev.unjank.query.tables.TraceTables;
import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.SqlStatement;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.trace.model.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session of PerfettoSQL statements over one trace. Definitions last until the session ends; tables of the trace are
 * loaded into the engine when a statement first names them.
 *
 * <p>One thread at a time may run statements; any thread may {@link #interrupt}. Results are written on another thread
 * while the calling thread waits.
 */
public final class QuerySession implements AutoCloseable {
    private final Engine engine;
    private final DuckDbEngine duckDb;
    private final TableCatalog tables;
    private final PerfettoSqlTranslator language;
    private @Nullable Duration timeout;
    private volatile @Nullable StatementWatchdog watchdog;

    private QuerySession(Engine engine, TableCatalog tables) {
        this.engine = engine;
        this.duckDb = engine.duckDb();
        this.tables = tables;
        this.language = new PerfettoSqlTranslator(tables, new AllowedFolder(duckDb, duckDb.folder()));
    }

    /**
     * Starts an engine for a session.
     *
     * @param options its limits
     * @return the engine, for {@link #open}
     * @throws QueryException if the engine does not start
     */
    public static Engine engine(EngineOptions options) throws QueryException {
        Engine engine = Engine.open(options, PerfettoSqlTranslator.settings());
        ArrowStream.prepare(); // prepared here, while the caller usually still reads the trace
        return engine;
    }

    /**
     * Opens a session.
     *
     * @param engine from {@link #engine}; the session closes it
     * @param trace the trace to query
     * @return the session, which the caller closes
     */
    public static QuerySession open(Engine engine, Trace trace) {
        return open(engine, () -> trace, BulkLoad.ARROW);
    }

    /**
     * Opens a session before its trace has been read.
     *
     * @param engine from {@link #engine}; the session closes it
     * @param trace supplies the trace when a statement first names a table; always returns the same trace
     * @return the session, which the caller closes
     */
    public static QuerySession open(Engine engine, Supplier<Trace> trace) {
        return open(engine, trace, BulkLoad.ARROW);
    }

    /**
     * Opens a session with a given diagnosis.
     *
     * @param engine from {@link #engine}; the session closes it
     * @param trace the trace to query
     * @param doctor supplies the contents of the doctor's tables when a statement first names one
     * @return the session, which the caller closes
     */
    public static QuerySession open(Engine engine, Trace trace, Supplier<Diagnosis> doctor) {
        return open(engine, () -> trace, doctor, BulkLoad.ARROW);
    }

    static QuerySession open(Engine engine, Supplier<Trace> trace, BulkLoad load) {
        return open(engine, trace, () -> DiagnosisTables.all(trace.get()), load);
    }

    private static QuerySession open(Engine engine, Supplier<Trace> trace, Supplier<Diagnosis> doctor, BulkLoad load) {
        List<TableDefinition> definitions =
                new ArrayList<>(new TraceTables(trace, new SharedStrings(trace)).definitions());
        definitions.addAll(new DiagnosisTables(trace, doctor).definitions());
        return over(engine, load, definitions);
    }

    /** A session over the given tables. */
    static QuerySession over(Engine engine, BulkLoad load, List<TableDefinition> definitions) {
        return new QuerySession(engine, new TableCatalog(engine.duckDb(), load, definitions));
    }

    /**
     * Sets the time limit for all statements of one run together.
     *
     * @param timeout the limit; null for none
     */
    public void setTimeout(@Nullable Duration timeout) {
        this.timeout = timeout;
    }

    /** Prepared statements. */
    public static final class Prepared {
        private final Source source;

        private Prepared(Source source) {
            this.source = source;
        }
    }

    /** Translated statements, or text to translate later. */
    @FunctionalInterface
    private interface Source {
        PerfettoSqlTranslator.Script script();
    }

    /**
     * Translates statements without reading the trace. Within one call, statements may use definitions (CREATE,
     * INCLUDE) of earlier statements. The run creates the definitions, so run the prepared statements before you
     * prepare others. If statements may read files, translation is deferred to the run, because it may take long.
     *
     * @param text PerfettoSQL statements, separated by semicolons
     * @return the prepared statements
     * @throws QueryException if a statement is wrong and no statement precedes it. If others do, the run executes them
     *     and then throws the exception
     */
    public Prepared prepare(String text) throws QueryException {
        if (duckDb.folder() != null) {
            return new Prepared(() -> language.translate(text));
        }
        PerfettoSqlTranslator.Script script = language.translate(text);
        if (script.statements().isEmpty()) {
            throwIfError(script.error());
        }
        return new Prepared(() -> script);
    }

    private static void throwIfError(@Nullable PerfettoSqlException mistake) throws QueryException {
        if (mistake != null) {
            throw new QueryException(String.valueOf(mistake.getMessage()), mistake.offset());
        }
    }

    /**
     * Runs statements.
     *
     * @param text PerfettoSQL statements, separated by semicolons
     * @param writer receives the result of each query
     * @throws QueryException if a statement is wrong, fails or is interrupted; earlier statements have run
     */
    public void run(String text, ResultWriter writer) throws QueryException {
        eachStep(() -> language.translate(text), writing(writer));
    }

    /**
     * Runs prepared statements.
     *
     * @param statements from the last {@link #prepare}
     * @param writer receives the result of each query
     * @throws QueryException if a statement is wrong, fails or is interrupted; earlier statements have run
     */
    public void run(Prepared statements, ResultWriter writer) throws QueryException {
        eachStep(statements.source, writing(writer));
    }

    private QueryRunner writing(ResultWriter writer) {
        return step -> {
            try (Rows rows = rows(step)) {
                if (!isSuppressed(rows)) {
                    writer.write(rows);
                }
            }
        };
    }

    private Rows rows(EngineStep step) throws QueryException {
        Rows rows = engine.run(step.sql());
        List<Boolean> isDynamic = step.columns().stream()
                .map(column -> column.type() == SqlType.ANY)
                .toList();
        return isDynamic.contains(true) ? new DynamicRows(rows, isDynamic) : rows;
    }

    /**
     * Whether the only column is {@code suppress_query_output}; trace processor's shell does not print such results
     * either.
     */
    private static boolean isSuppressed(Rows rows) {
        return rows.columns().size() == 1 && rows.columns().getFirst().name().equals("suppress_query_output");
    }

    /**
     * Runs prepared statements with exactly one query, and writes its result to a Parquet file.
     *
     * @param statements from the last {@link #prepare}
     * @param file the file to write, which the engine's options must allow
     * @throws QueryException if a statement is wrong, fails or is interrupted, or for a second query
     */
    public void export(Prepared statements, Path file) throws QueryException {
        String target = file.toAbsolutePath().toString();
        boolean[] written = new boolean[1];
        eachStep(statements.source, step -> {
            if (written[0]) {
                throw new QueryException("a Parquet file holds one result, but the statements have several", -1);
            }
            SqlStatement copy = new SqlStatement.Copy(step.query(), FileFormat.PARQUET, target);
            duckDb.execute(DuckDbPrinter.print(copy, null).sql());
            written[0] = true;
        });
    }

    /** Runs a query step and handles its rows. */
    @FunctionalInterface
    private interface QueryRunner {
        void run(EngineStep query) throws QueryException;
    }

    private void eachStep(Source source, QueryRunner runner) throws QueryException {
        if (isUnusable()) {
            throw new QueryException(
                    Kind.FAILURE, "the engine does not respond: it still runs a statement that was interrupted", -1);
        }
        StatementWatchdog current =
                new StatementWatchdog(engine::interrupt, duckDb::runningStatement, timeout, StatementWatchdog.GRACE);
        watchdog = current;
        try {
            current.run(() -> {
                PerfettoSqlTranslator.Script script = source.script();
                for (List<EngineStep> statement : script.statements()) {
                    run(statement, runner, current);
                }
                throwIfError(script.error());
            });
        } finally {
            if (!current.isUnresponsive()) {
                watchdog = null;
                duckDb.rollBack(); // no interruption is pending any more
            }
        }
    }

    /**
     * Whether the engine did not respond to an interruption. Such a session runs no more statements.
     *
     * @return true if the session is unusable
     */
    public boolean isUnusable() {
        StatementWatchdog current = watchdog;
        return current != null && current.isUnresponsive();
    }

    /** Executes all steps of a statement, atomically. */
    private void run(List<EngineStep> statement, QueryRunner runner, StatementWatchdog watchdog) throws QueryException {
        boolean done = false;
        try {
            watchdog.check();
            for (EngineStep step : statement) {
                tables.load(step.tables());
                tables.createMacros(step.macros());
            }
            if (statement.size() > 1) {
                duckDb.begin();
            }
            for (EngineStep step : statement) {
                run(step, runner, watchdog);
            }
            duckDb.commit();
            done = true;
        } finally {
            if (!done) {
                language.rollBack(statement.getFirst());
            }
        }
    }

    private void run(EngineStep step, QueryRunner runner, StatementWatchdog watchdog) throws QueryException {
        try {
            switch (step.kind()) {
                case COMMAND -> duckDb.execute(step.sql());
                case QUERY -> runner.run(step);
                case SPAN_JOIN -> SpanJoinExecutor.execute(step.spanJoin(), duckDb, watchdog::isInterrupted);
            }
        } catch (QueryException e) {
            throw e.kind() == Kind.STATEMENT ? withPosition(step, e) : e;
        }
    }

    private QueryException withPosition(EngineStep step, QueryException e) {
        PerfettoSqlException explained = language.explainFailure(step, String.valueOf(e.getMessage()), e.offset());
        return new QueryException(String.valueOf(explained.getMessage()), explained.offset());
    }

    /**
     * Interrupts the running statements, which then fail as {@link QueryException.Kind#INTERRUPTED}. Any thread; no
     * effect if none is running.
     */
    public void interrupt() {
        StatementWatchdog current = watchdog;
        if (current != null) {
            current.interrupt();
        }
    }

    /**
     * Tables, views and table functions, for completion.
     *
     * @return sorted names
     */
    public List<String> relations() {
        return language.relationNames();
    }

    /**
     * Functions, for completion.
     *
     * @return sorted names
     */
    public List<String> functions() {
        return language.functionNames();
    }

    /**
     * Modules of the standard library.
     *
     * @return sorted names
     */
    public static List<String> modules() {
        return PerfettoSqlTranslator.moduleNames();
    }

    /**
     * The columns of a table or view.
     *
     * @param relation its name, case-insensitive
     * @return its columns, or null if there is no such table or view
     */
    public @Nullable List<Rows.Column> columns(String relation) {
        List<TypedColumn> columns = language.columns(relation);
        return columns == null
                ? null
                : columns.stream()
                        .map(column -> new Rows.Column(column.name(), type(column.type())))
                        .toList();
    }

    private static Rows.Type type(SqlType type) {
        return switch (type) {
            case INT, BOOL, NULL -> Rows.Type.INTEGER;
            case REAL -> Rows.Type.REAL;
            case TEXT, ANY -> Rows.Type.TEXT;
            case BLOB -> Rows.Type.BLOB;
        };
    }

    /**
     * Closes the session but keeps its engine for another session.
     *
     * @return the engine, without this session's definitions; null if the engine is unusable
     */
    public @Nullable Engine release() {
        if (isUnusable()) {
            return null;
        }
        try {
            duckDb.clear();
            return engine;
        } catch (QueryException e) {
            engine.close();
            return null;
        }
    }

    /** Closes the session and its engine. An unresponsive engine is left open. */
    @Override
    public void close() {
        if (!isUnusable()) {
            engine.close();
        }
    }
}
