package dev.unjank.query;

import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.query.result.Rows;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A session for tests of PerfettoSQL, with or without a trace; results are lines as in the expected tables. */
public final class QueryTestSession implements AutoCloseable {
    private final QuerySession session;

    private QueryTestSession(QuerySession session) {
        this.session = session;
    }

    public static QueryTestSession empty() throws QueryException {
        return new QueryTestSession(QuerySession.over(engine(), BulkLoad.ARROW, List.of()));
    }

    public static QueryTestSession of(Trace trace) throws QueryException {
        return new QueryTestSession(QuerySession.open(engine(), trace));
    }

    /** A session with trace processor's tables. */
    public static QueryTestSession withProcessorTables(Path file) throws IOException, QueryException {
        Trace trace = TraceReader.read(file);
        return new QueryTestSession(QuerySession.openWithProcessorTables(engine(), () -> trace, file));
    }

    private static Engine engine() throws QueryException {
        return QuerySession.engine(new EngineOptions(0, 2, null, null));
    }

    /** Sets the time limit of a run. */
    public void setTimeout(Duration timeout) {
        session.setTimeout(timeout);
    }

    /** Whether the engine did not respond to an interruption. */
    public boolean isUnusable() {
        return session.isUnusable();
    }

    /** Runs statements; the writer receives the result of each query. */
    public void run(String text, ResultWriter writer) throws QueryException {
        session.run(text, writer);
    }

    /** The results of all queries: rows of fields as in the expected tables, after the heading. */
    public List<List<String>> results(String text) throws QueryException {
        List<List<String>> results = new ArrayList<>();
        session.run(text, rows -> results.add(lines(rows)));
        return results;
    }

    /** The names of the columns of a table or view; empty if there is no such table. */
    public List<String> columns(String relation) {
        List<Rows.Column> columns = session.columns(relation);
        return columns == null
                ? List.of()
                : columns.stream().map(Rows.Column::name).toList();
    }

    /** The result of a single query. */
    public List<String> result(String text) throws QueryException {
        List<List<String>> results = results(text);
        if (results.size() != 1) {
            throw new AssertionError(results.size() + " results");
        }
        return results.getFirst();
    }

    /** The output of {@code --format csv}, line by line. */
    public List<String> csv(String text) throws QueryException {
        StringWriter csv = new StringWriter();
        PrintWriter out = new PrintWriter(csv);
        session.run(text, ResultWriter.csv(out));
        out.flush();
        return csv.toString().lines().toList();
    }

    private static List<String> lines(Rows rows) throws QueryException {
        List<String> lines = new ArrayList<>();
        lines.add(String.join(
                ",", rows.columns().stream().map(c -> quoted(c.name())).toList()));
        while (rows.next()) {
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < rows.columns().size(); i++) {
                fields.add(field(rows.get(i)));
            }
            lines.add(String.join(",", fields));
        }
        return lines;
    }

    private static String field(Object value) {
        return switch (value) {
            case null -> "\"[NULL]\"";
            case String text -> quoted(text);
            default -> value.toString();
        };
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public void close() {
        session.close();
    }
}
