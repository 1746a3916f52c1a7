package dev.unjank.query.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QuerySession;
import dev.unjank.query.SqlReportQueries;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Runs {@code doctor} and {@code query} on a file in this process: the file is read or rejected, and a trace is
 * diagnosed, reported as text, JSON and HTML, and queried. Not thread-safe.
 */
final class MutantCheck implements AutoCloseable {
    /** The error of a reader without enough memory, which no file of this size may cause. */
    private static final String MEMORY = "needs more memory than";

    private static final long ENGINE_BYTES = 512L << 20;
    private static final int TABLES_AT_ONCE = 2;
    private static final DoctorOptions EVERYTHING = new DoctorOptions(DoctorOptions.ALL_THREADS, null, Duration.ZERO);
    private static final SqlReportQueries QUERIES = new SqlReportQueries("unjank query trace");

    private static final List<String> STATEMENTS = List.of(
            "SELECT name, count(*), total(dur), min(ts) FROM slice GROUP BY name ORDER BY 2 DESC LIMIT 20",
            "SELECT t.name, p.name, s.state, total(s.dur) FROM thread_state s JOIN thread t USING (utid)"
                    + " LEFT JOIN process p USING (upid) GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 20",
            "SELECT * FROM unjank_incident ORDER BY dur DESC LIMIT 5");

    private @Nullable Engine engine;
    private List<String> tables = List.of();
    private int checked;

    /**
     * Checks a file.
     *
     * @return whether it was read, and not refused
     */
    boolean check(Path file) throws IOException, QueryException {
        checked++;
        Trace trace;
        try {
            trace = checked % 8 == 0 ? TraceReader.read(file) : TraceReader.read(file, Runnable::run);
        } catch (UnusableTraceException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n").doesNotContain(MEMORY);
            return false;
        }
        TraceInvariants.check(trace);
        diagnose(trace, DoctorOptions.defaults(), checked % 4 == 0);
        if (checked % 16 == 0) {
            diagnose(trace, EVERYTHING, false);
        }
        query(trace);
        return true;
    }

    private static void diagnose(Trace trace, DoctorOptions options, boolean withPage) throws IOException {
        Diagnosis diagnosis = Doctor.diagnose(trace, options);
        assertSafe(TextReport.of(diagnosis, TextReport.Style.plain(), QUERIES));
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, QUERIES, json);
        int tokens = 0;
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json.toString())) {
            while (parser.nextToken() != null) {
                tokens++;
            }
        }
        assertThat(tokens).isPositive();
        if (withPage) {
            StringWriter page = new StringWriter();
            HtmlReport.write(diagnosis, trace, QUERIES, page);
            assertThat(page.toString()).contains("</html>");
        }
    }

    /** Whether a terminal shows all of it, and breaks lines where the report does. */
    private static void assertSafe(String report) {
        assertThat(report).isNotBlank();
        assertThat(TerminalText.isPrintable(report.replace("\n", ""))).isTrue();
    }

    private void query(Trace trace) throws QueryException {
        Engine used = engine == null ? QuerySession.engine(new EngineOptions(ENGINE_BYTES, 1, null, null)) : engine;
        engine = null;
        QuerySession session = QuerySession.open(used, trace);
        try {
            StringWriter table = new StringWriter();
            StringBuilder statements = new StringBuilder(STATEMENTS.get(checked % STATEMENTS.size()));
            List<String> tables = tables(session);
            for (int i = 0; i < TABLES_AT_ONCE; i++) {
                String name = tables.get(Math.floorMod(checked * TABLES_AT_ONCE + i, tables.size()));
                statements.append(";\nSELECT * FROM ").append(name).append(" LIMIT 50");
            }
            ResultWriter rows = ResultWriter.table(new PrintWriter(table), 120);
            session.run(statements.toString(), rows);
            assertSafe(table.toString());
        } catch (Throwable t) {
            session.close();
            throw t;
        }
        engine = session.release();
    }

    /** Tables that can be queried without arguments. */
    private List<String> tables(QuerySession session) {
        if (tables.isEmpty()) {
            tables = session.relations().stream()
                    .filter(name -> session.columns(name) != null)
                    .toList();
        }
        return tables;
    }

    @Override
    public void close() {
        if (engine != null) {
            engine.close();
            engine = null;
        }
    }
}
