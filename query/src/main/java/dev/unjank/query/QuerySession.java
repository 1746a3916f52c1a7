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
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.resolve.EngineStep;
import dev.unjank.query.resolve.PerfettoSqlTranslator;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.query.result.Rows;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.tables.DiagnosisTables;
import dev.unjank.query.tables.SharedStrings;
import dev.unjank.query.tables.TraceTables;
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
 * PerfettoSQL over one trace: statements come as text, what they define stays until the session ends, and tables of the trace
 * are loaded into the engine when a statement first names them.
 *
 * <p>One thread at a time may run statements; any thread may {@link #interrupt}. Results are written on another thread, for
 * which the first waits.
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
     * @param options what it may use
     * @return the engine, to be given to {@link #open}
     * @throws QueryException if it does not start
     */
    public static Engine engine(EngineOptions options) throws QueryException {
        Engine engine = Engine.open(options, PerfettoSqlTranslator.settings());
        ArrowStream.prepare(); // here, since the trace is mostly being read meanwhile
        return engine;
    }

    /**
     * Opens a session.
     *
     * @param engine from {@link #engine}; the session closes it
     * @param trace what to ask about
     * @return the session, to be closed
     */
    public static QuerySession open(Engine engine, Trace trace) {
        return open(engine, () -> trace, BulkLoad.ARROW);
    }

    /**
     * Opens a session over a trace that is still being read.
     *
     * @param engine from {@link #engine}; the session closes it
     * @param trace what to ask about; asked for when the first statement runs that names a table, and always to give the same
     * @return the session, to be closed
     */
    public static QuerySession open(Engine engine, Supplier<Trace> trace) {
        return open(engine, trace, BulkLoad.ARROW);
    }

    /**
     * Opens a session that needs to know less of the doctor than everything.
     *
     * @param engine from {@link #engine}; the session closes it
     * @param trace what to ask about
     * @param doctor what the doctor's tables are to hold; asked for when the first statement runs that names one
     * @return the session, to be closed
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

    /** A session over any tables. */
    static QuerySession over(Engine engine, BulkLoad load, List<TableDefinition> definitions) {
        return new QuerySession(engine, new TableCatalog(engine.duckDb(), load, definitions));
    }

    /**
     * Limits how long the statements of one text may take together.
     *
     * @param timeout the longest time, or null for no limit
     */
    public void setTimeout(@Nullable Duration timeout) {
        this.timeout = timeout;
    }

    /** Statements to be run. */
    public static final class Prepared {
        private final Source source;

        private Prepared(Source source) {
            this.source = source;
        }
    }

    /** Statements that are known, or a text that has to be read first. */
    @FunctionalInterface
    private interface Source {
        PerfettoSqlTranslator.Script script();
    }

    /**
     * Reads statements and finds what they name, for which no trace need be there. They are to be run next: what they define
     * counts from now on. Where statements may read files this is left for later, for it may take long.
     *
     * @param text PerfettoSQL, with a semicolon after each statement but the last
     * @return the statements
     * @throws QueryException if a statement is wrong and none before it has anything to do
     */
    public Prepared prepare(String text) throws QueryException {
        if (duckDb.folder() != null) {
            return new Prepared(() -> language.translate(text));
        }
        PerfettoSqlTranslator.Script script = language.translate(text);
        if (script.statements().isEmpty()) {
            refuse(script.mistake());
        }
        return new Prepared(() -> script);
    }

    private static void refuse(@Nullable PerfettoSqlException mistake) throws QueryException {
        if (mistake != null) {
            throw new QueryException(String.valueOf(mistake.getMessage()), mistake.offset());
        }
    }

    /**
     * Runs statements.
     *
     * @param text PerfettoSQL, with a semicolon after each statement but the last
     * @param writer gets the result of each statement that has one
     * @throws QueryException if a statement is wrong, fails or is interrupted; those before it have been run
     */
    public void run(String text, ResultWriter writer) throws QueryException {
        eachStep(() -> language.translate(text), writing(writer));
    }

    /**
     * Runs statements.
     *
     * @param statements what {@link #prepare} gave last
     * @param writer gets the result of each statement that has one
     * @throws QueryException if a statement is wrong, fails or is interrupted; those before it have been run
     */
    public void run(Prepared statements, ResultWriter writer) throws QueryException {
        eachStep(statements.source, writing(writer));
    }

    private Asker writing(ResultWriter writer) {
        return step -> {
            try (Rows rows = engine.run(step.sql())) {
                writer.write(rows);
            }
        };
    }

    /**
     * Runs statements of which one has a result, and writes that to a Parquet file.
     *
     * @param statements what {@link #prepare} gave last
     * @param file where to, which the engine's options must allow
     * @throws QueryException if a statement is wrong, fails or is interrupted, or if there is more than one result
     */
    public void export(Prepared statements, Path file) throws QueryException {
        String target = SqlQuoting.text(file.toAbsolutePath().toString());
        boolean[] written = new boolean[1];
        eachStep(statements.source, step -> {
            if (written[0]) {
                throw new QueryException("a Parquet file holds one result, and the statements have another", -1);
            }
            duckDb.execute("COPY (" + step.sql() + ") TO " + target + " (FORMAT parquet, USE_TMP_FILE false)");
            written[0] = true;
        });
    }

    /** What to do with a query. */
    @FunctionalInterface
    private interface Asker {
        void ask(EngineStep query) throws QueryException;
    }

    private void eachStep(Source source, Asker asker) throws QueryException {
        if (isLost()) {
            throw new QueryException(Kind.FAILURE, "the engine is still busy with a statement that was stopped", -1);
        }
        StatementWatchdog dog =
                new StatementWatchdog(engine::interrupt, duckDb::runningStatement, timeout, StatementWatchdog.GRACE);
        watchdog = dog;
        try {
            dog.run(() -> {
                PerfettoSqlTranslator.Script script = source.script();
                for (List<EngineStep> statement : script.statements()) {
                    run(statement, asker, dog);
                }
                refuse(script.mistake());
            });
        } finally {
            if (!dog.isStuck()) {
                watchdog = null;
                duckDb.rollBack(); // when nobody interrupts any more
            }
        }
    }

    /**
     * Whether a statement was stopped and the engine did not take notice of it: then nothing more can be run.
     *
     * @return true if the session is of no more use
     */
    public boolean isLost() {
        StatementWatchdog dog = watchdog;
        return dog != null && dog.isStuck();
    }

    /** Does all steps of a statement; if one fails, it is as if none had been done. */
    private void run(List<EngineStep> statement, Asker asker, StatementWatchdog dog) throws QueryException {
        boolean done = false;
        try {
            dog.check();
            for (EngineStep step : statement) {
                tables.load(step.tables());
            }
            if (statement.size() > 1) {
                duckDb.begin();
            }
            for (EngineStep step : statement) {
                run(step, asker, dog);
            }
            duckDb.commit();
            done = true;
        } finally {
            if (!done) {
                language.forget(statement.getFirst());
            }
        }
    }

    private void run(EngineStep step, Asker asker, StatementWatchdog dog) throws QueryException {
        try {
            switch (step.kind()) {
                case COMMAND -> duckDb.execute(step.sql());
                case QUERY -> asker.ask(step);
                case SPAN_JOIN -> SpanJoinExecutor.make(step.spanJoin(), duckDb, dog::isInterrupted);
            }
        } catch (QueryException e) {
            throw e.kind() == Kind.STATEMENT ? placed(step, e) : e;
        }
    }

    private QueryException placed(EngineStep step, QueryException e) {
        PerfettoSqlException placed = language.failed(step, String.valueOf(e.getMessage()), e.offset());
        return new QueryException(String.valueOf(placed.getMessage()), placed.offset());
    }

    /** Stops what runs; it then fails as {@link QueryException.Kind#INTERRUPTED}. Any thread; without effect if nothing runs. */
    public void interrupt() {
        StatementWatchdog dog = watchdog;
        if (dog != null) {
            dog.interrupt();
        }
    }

    /**
     * Everything that can stand after FROM.
     *
     * @return names in order
     */
    public List<String> relations() {
        return language.relationNames();
    }

    /**
     * Everything that can be called.
     *
     * @return names in order
     */
    public List<String> functions() {
        return language.functionNames();
    }

    /**
     * The modules that can be included.
     *
     * @return names in order
     */
    public static List<String> modules() {
        return PerfettoSqlTranslator.moduleNames();
    }

    /**
     * The columns of a table or view.
     *
     * @param relation its name, in any case
     * @return its columns, or null if there is no such thing
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
     * Ends the session, and keeps its engine for another.
     *
     * @return the engine, without anything of this session; null if it is of no more use
     */
    public @Nullable Engine release() {
        if (isLost()) {
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

    /** Ends the session; the engine is left alone if it does not listen. */
    @Override
    public void close() {
        if (!isLost()) {
            engine.close();
        }
    }
}
