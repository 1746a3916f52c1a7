package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.query.result.Rows;
import dev.unjank.query.tables.SharedStrings;
import dev.unjank.query.tables.TraceTables;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of statements over a trace in one session. */
class QuerySessionTest {
    private static final String ENDLESS = """
            SELECT count(*) FROM slice a, slice b, slice c, slice d, slice e, slice f, slice g, slice h, slice i, slice j, slice k,
                slice l, slice m
            WHERE (a.dur + b.dur + c.dur + d.dur + e.dur + f.dur + g.dur + h.dur + i.dur + j.dur + k.dur + l.dur + m.dur) % 7 = 8""";

    private static Trace trace;

    private QuerySession session;

    @BeforeAll
    static void readExample(@TempDir Path folder) throws IOException {
        trace = TraceReader.read(Files.write(folder.resolve("launcher.pftrace"), LauncherExample.trace()));
    }

    @BeforeEach
    void open() throws QueryException {
        session = QuerySession.open(QuerySession.engine(EngineOptions.DEFAULT), trace);
    }

    @AfterEach
    void close() {
        session.close();
    }

    private static String csv(QuerySession session, String text) throws QueryException {
        StringWriter result = new StringWriter();
        PrintWriter out = new PrintWriter(result);
        session.run(text, ResultWriter.csv(out));
        out.flush();
        return result.toString();
    }

    private String csv(String text) throws QueryException {
        return csv(session, text);
    }

    @Test
    void definitionsLastForTheSession() throws QueryException {
        csv("CREATE PERFETTO TABLE longest AS SELECT name, dur FROM slice ORDER BY dur DESC LIMIT 1");

        assertThat(csv("SELECT count(*) AS n FROM longest")).isEqualTo("\"n\"\n1\n");
    }

    @Test
    void tablesAreLoadedOnFirstUse() throws QueryException {
        Engine engine = QuerySession.engine(EngineOptions.DEFAULT);
        try (QuerySession lazy = QuerySession.open(engine, trace)) {
            csv(lazy, "SELECT 1 AS a");
            assertThat(tablesOf(engine)).isEmpty();
            csv(lazy, "SELECT count(*) AS n FROM thread_state");
            csv(lazy, "SELECT count(*) AS n FROM thread_state JOIN thread USING (utid)");
            assertThat(tablesOf(engine))
                    .allMatch(name -> name.startsWith("thread"))
                    .hasSize(2);
        }
    }

    private static List<String> tablesOf(Engine engine) throws QueryException {
        List<String> names = new ArrayList<>();
        try (Rows rows = engine.run("SELECT table_name FROM duckdb_tables()")) {
            while (rows.next()) {
                names.add(String.valueOf(rows.get(0)));
            }
        }
        return names;
    }

    @Test
    void severalResultsOfOneRun() throws QueryException {
        assertThat(csv("SELECT 1 AS a; CREATE VIEW v AS SELECT 2 AS b; SELECT * FROM v;"))
                .isEqualTo("\"a\"\n1\n\n\"b\"\n2\n");
    }

    @Test
    void statementsBeforeAnErrorAreExecuted() throws QueryException {
        for (String wrong : List.of("SELECT nope FROM slice", "SELECT 'never ended", "CREATE VIEW w AS SELEC 1")) {
            StringWriter result = new StringWriter();
            String text = "CREATE OR REPLACE PERFETTO TABLE kept AS SELECT 5 AS a; SELECT a FROM kept; " + wrong
                    + "; CREATE PERFETTO TABLE never AS SELECT 1 AS a";
            QuerySession.Prepared statements = session.prepare(text);
            PrintWriter out = new PrintWriter(result);

            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> session.run(statements, ResultWriter.csv(out)))
                    .withMessageStartingWith("line 1, column ");
            assertThat(result.toString()).isEqualTo("\"a\"\n5\n");
            assertThat(csv("SELECT a FROM kept")).isEqualTo("\"a\"\n5\n");
            refused("SELECT * FROM w", "line 1, column 15: no such table: w");
            refused("SELECT * FROM never", "line 1, column 15: no such table: never");
        }
    }

    @Test
    void definitionsBeforeALexicalErrorAreKept() throws QueryException {
        refused(
                "CREATE PERFETTO TABLE kept AS SELECT 5 AS a; \"",
                "line 1, column 46: expected \" at the end of this quoted name");
        assertThat(csv("SELECT a FROM kept")).isEqualTo("\"a\"\n5\n");
        assertThat(csv("CREATE OR REPLACE PERFETTO TABLE kept AS SELECT 6 AS a; SELECT a FROM kept"))
                .isEqualTo("\"a\"\n6\n");
    }

    @Test
    void frameCostsReferToFrames() throws QueryException {
        assertThat(
                        csv(
                                "SELECT count(*) = (SELECT frame_count + display_frame_count FROM unjank_summary) AS all_of_them,"
                                        + " count(DISTINCT id) = count(*) AS numbered,"
                                        + " count(*) = (SELECT count(*) FROM actual_frame_timeline_slice) AS as_recorded,"
                                        + " sum(is_missed AND NOT is_display) = (SELECT missed_frame_count FROM unjank_summary) AS missed FROM unjank_frame"))
                .isEqualTo("\"all_of_them\",\"numbered\",\"as_recorded\",\"missed\"\n1,1,1,1\n");
        assertThat(csv("SELECT count(*) > 0 AS some, sum(ts = frame_ts AND dur = frame_dur) = count(*) AS same"
                        + " FROM unjank_frame_cost AS c LEFT JOIN unjank_frame AS f ON f.id = c.frame_id"))
                .isEqualTo("\"some\",\"same\"\n1,1\n");
    }

    @Test
    void errorsHaveAPosition() {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv("SELECT name\nFROM slice\nWHERE durr > 5"))
                .withMessageStartingWith("line 3, column 7: ")
                .withMessageContaining("durr")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.STATEMENT));
    }

    @Test
    void errorsOfTheEngineHaveAPosition() {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv("SELECT 9223372036854775807 + id FROM slice"))
                .withMessageStartingWith("line 1, column ");
    }

    private void refused(String text, String message) {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv(text))
                .withMessage(message)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.STATEMENT));
    }

    @Test
    void runtimeErrorsAreLocatedAtPossibleCauses() throws QueryException {
        refused(
                "SELECT 1 * 2,\n  9223372036854775807 + id FROM slice WHERE id > 0",
                "line 2, column 23: integer overflow in an addition");
        refused(
                "SELECT ts - 1,\n  -9223372036854775807 - id - 1 FROM slice WHERE id > 0",
                "line 1, column 11: integer overflow in a subtraction, here or at 3 other places");
        refused("SELECT 1,\n sum(9223372036854775807) AS x FROM slice", "line 2, column 2: integer overflow in a sum");
        refused(
                "SELECT name FROM slice WHERE name\nREGEXP name || '['",
                "line 2, column 1: bad regular expression: missing ]: [");
    }

    @Test
    void errorsInFunctionsAreLocatedAtTheCall() throws QueryException {
        csv("CREATE PERFETTO FUNCTION f(x INT) RETURNS INT AS SELECT $x + 9223372036854775807;"
                + "CREATE PERFETTO FUNCTION g(x INT) RETURNS INT AS SELECT f($x)");
        refused(
                "SELECT 1,\n  g(id) FROM slice",
                "line 2, column 3: integer overflow in an addition (in f, line 1, column 60)");
    }

    @Test
    void aFailedStatementChangesNothing() throws QueryException {
        csv("CREATE PERFETTO TABLE kept AS SELECT 5 AS a; CREATE VIEW seen AS SELECT a FROM kept");
        String overflow = "SELECT 9223372036854775807 + id AS a FROM slice";
        for (String what : List.of("TABLE kept", "VIEW seen")) {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(
                            () -> csv("CREATE OR REPLACE PERFETTO " + what + " AS " + overflow + " UNION SELECT nope"));
        }
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv("CREATE OR REPLACE PERFETTO TABLE kept AS " + overflow));
        assertThat(csv("SELECT a FROM kept")).isEqualTo("\"a\"\n5\n");
        assertThat(csv("SELECT a FROM seen")).isEqualTo("\"a\"\n5\n");
    }

    @Test
    void moduleTablesAreCreatedAgainAfterAFailure() throws QueryException {
        csv("INCLUDE PERFETTO MODULE android.monitor_contention");
        for (int i = 0; i < 2; i++) {
            refused(
                    "SELECT 9223372036854775807 + dur AS a FROM android_monitor_contention",
                    "line 1, column 28: integer overflow in an addition");
        }
        assertThat(csv("SELECT count(*) > 0 AS some FROM android_monitor_contention"))
                .isEqualTo("\"some\"\n1\n");
    }

    @Test
    void unsupportedNamesHaveAReason() {
        refused(
                "SELECT * FROM android_logs",
                "line 1, column 15: no such table: android_logs: log messages are not read");
        refused(
                "INCLUDE PERFETTO MODULE chrome.event_latency",
                "line 1, column 25: no such module: chrome.event_latency: Perfetto has it; out of scope: Chrome's own events");
    }

    @Test
    void spanJoinsCarryColumnsOfAllTypes() throws QueryException {
        assertThat(csv("""
                        CREATE PERFETTO TABLE a AS
                        SELECT 0 AS ts, 10 AS dur, 1 AS p, 'x' AS name, 1.5 AS r, NULL AS nothing, 9223372036854775807 AS most
                        UNION ALL SELECT 20, 10, 1, NULL, NULL, NULL, -9223372036854775808;
                        CREATE PERFETTO VIEW b AS SELECT 5 AS ts, 10 AS dur, 1 AS p, 7 AS n, x'41' AS bytes;
                        CREATE VIRTUAL TABLE j USING SPAN_OUTER_JOIN(a PARTITIONED p, b PARTITIONED p);
                        SELECT ts, dur, p, name, r, nothing, most, n, hex(bytes) AS bytes FROM j ORDER BY ts;
                        DROP TABLE j;
                        CREATE VIRTUAL TABLE j USING SPAN_LEFT_JOIN(a, b PARTITIONED p);
                        SELECT ts, name, n FROM j ORDER BY ts;
                        """)).isEqualTo("""
                        "ts","dur","p","name","r","nothing","most","n","bytes"
                        0,5,1,"x",1.500000,"[NULL]",9223372036854775807,"[NULL]",""
                        5,5,1,"x",1.500000,"[NULL]",9223372036854775807,7,"41"
                        10,5,1,"[NULL]","[NULL]","[NULL]","[NULL]",7,"41"
                        20,10,1,"[NULL]","[NULL]","[NULL]",-9223372036854775808,"[NULL]",""

                        "ts","name","n"
                        0,"x","[NULL]"
                        5,"x",7
                        20,"[NULL]","[NULL]"
                        """);
    }

    @Test
    void spansAreJoined() throws QueryException {
        assertThat(csv("""
                        CREATE PERFETTO TABLE a AS SELECT 0 AS ts, 10 AS dur, 'x' AS name UNION ALL SELECT 20, 10, 'y';
                        CREATE PERFETTO TABLE b AS SELECT 5 AS ts, 20 AS dur, 7 AS n;
                        CREATE VIRTUAL TABLE j USING SPAN_JOIN(a, b);
                        SELECT ts, dur, name, n FROM j ORDER BY ts;
                        """)).isEqualTo("""
                        "ts","dur","name","n"
                        5,5,"x",7
                        20,5,"y",7
                        """);
    }

    @Test
    void tablesEqualTheModel() throws QueryException {
        assertThat(csv("SELECT count(*) AS n FROM thread_slice"))
                .contains("\n" + trace.slices().firstAsync() + "\n");
        assertThat(csv("SELECT count(*) AS n FROM actual_frame_timeline_slice"))
                .contains("\n" + trace.frames().size() + "\n");
        assertThat(csv("SELECT count(*) AS n FROM thread_state"))
                .contains("\n" + trace.threadStates().size() + "\n");
        assertThat(csv("SELECT count(*) AS n FROM sched"))
                .contains("\n" + trace.cpuRuns().size() + "\n");
        assertThat(csv("SELECT start_ts, end_ts FROM trace_bounds"))
                .endsWith("\n" + trace.startNs() + "," + trace.endNs() + "\n");
    }

    @Test
    void runningThreadsAreInSchedAndThreadState() throws QueryException {
        assertThat(csv("""
                        SELECT count(*) AS n FROM sched s LEFT JOIN thread_state t
                        ON s.ts = t.ts AND s.utid = t.utid AND t.state = 'Running' AND s.cpu = t.cpu
                        WHERE s.utid != 0 AND s.dur >= 0 AND (t.id IS NULL OR t.dur != s.dur)""")).isEqualTo("\"n\"\n0\n");
    }

    @Test
    void slicesHaveThreadTracks() throws QueryException {
        assertThat(csv("""
                        SELECT count(*) > 0 AS some, sum(thread.utid IS NULL) AS lost FROM slice
                        LEFT JOIN thread_track ON slice.track_id = thread_track.id LEFT JOIN thread USING (utid)
                        WHERE slice.track_id IN (SELECT id FROM thread_track)""")).endsWith("\n1,0\n");
        assertThat(csv("SELECT count(*) AS n FROM slice s JOIN slice p ON s.parent_id = p.id"
                        + " WHERE p.track_id != s.track_id OR p.depth != s.depth - 1 OR p.ts > s.ts"))
                .endsWith("\n0\n");
    }

    @Test
    void incidentsCanBeQueried() throws QueryException {
        assertThat(
                        csv(
                                "SELECT verdict, dur, thread_name, owner_thread_name FROM unjank_incident WHERE kind = 'monitor' ORDER BY dur DESC LIMIT 1"))
                .contains("PRIORITY_INVERSION")
                .contains("9148000")
                .contains("binder:3363_2");
    }

    @Test
    void blameTreeLeavesAddUpToTheIncident() throws QueryException {
        assertThat(csv("""
                        SELECT count(*) AS n, sum(i.dur != b.dur) AS wrong FROM unjank_incident i
                        JOIN (SELECT incident_id, sum(dur) AS dur FROM unjank_blame GROUP BY incident_id) b
                        ON b.incident_id = i.id""")).matches("(?s).*\\n[1-9][0-9]*,0\\n");
    }

    @Test
    void bothLoadsGiveTheSameTables() throws QueryException {
        try (QuerySession slow =
                QuerySession.open(QuerySession.engine(EngineOptions.DEFAULT), () -> trace, BulkLoad.APPENDER)) {
            List<TableDefinition> definitions =
                    new TraceTables(() -> trace, new SharedStrings(() -> trace)).definitions();
            for (TableDefinition definition : definitions) {
                String all = "SELECT * FROM " + definition.name() + " ORDER BY 1, 2";
                assertThat(csv(all)).as(definition.name()).isEqualTo(csv(slow, all));
            }
        }
    }

    @Test
    void columnsMatchTheirDefinition() throws QueryException {
        for (String relation : session.relations()) {
            List<Rows.Column> promised = session.columns(relation);
            if (promised != null) {
                session.run(
                        "SELECT * FROM " + relation + " LIMIT 1",
                        rows -> assertThat(rows.columns().stream().map(Rows.Column::name))
                                .as(relation)
                                .isEqualTo(
                                        promised.stream().map(Rows.Column::name).toList()));
            }
        }
    }

    @Test
    void aTimeLimitStopsStatements() throws QueryException {
        session.setTimeout(Duration.ofMillis(50));
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv(ENDLESS))
                .withMessage("stopped after the time limit of 50 ms")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.INTERRUPTED));

        session.setTimeout(null);
        assertThat(csv("SELECT 1 AS a")).isEqualTo("\"a\"\n1\n");
    }

    /** Each of many partitions is joined with many unpartitioned spans, without overlaps. */
    @Test
    void aTimeLimitStopsASpanJoin() throws QueryException {
        String many =
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT a.i * 301 + b.i AS i"
                        + " FROM n AS a, n AS b";
        csv("CREATE PERFETTO TABLE early AS SELECT i AS ts, 1 AS dur FROM (" + many + ");"
                + "CREATE PERFETTO TABLE late AS SELECT i + 1000000000 AS ts, 1 AS dur, i AS part FROM (" + many + ")");
        session.setTimeout(Duration.ofMillis(50));
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv("CREATE VIRTUAL TABLE j USING SPAN_JOIN(late PARTITIONED part, early)"))
                .withMessage("stopped after the time limit of 50 ms");
        session.setTimeout(null);
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> csv("SELECT * FROM j"))
                .withMessageContaining("no such table: j");
    }

    @Test
    void anInterruptionStopsStatements() throws Exception {
        CompletableFuture<Object> outcome = CompletableFuture.supplyAsync(() -> {
            try {
                return csv(ENDLESS);
            } catch (QueryException e) {
                return e.getMessage();
            }
        });
        while (!outcome.isDone()) { // interruptions before the start have no effect
            session.interrupt();
            Thread.onSpinWait();
        }

        assertThat(outcome.get()).isEqualTo("interrupted");
    }

    @Test
    void aParquetFileHoldsOneResult(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("it's.parquet");
        EngineOptions options = new EngineOptions(0, 0, null, file);
        try (QuerySession writer = QuerySession.open(QuerySession.engine(options), trace)) {
            writer.export(writer.prepare("CREATE VIEW v AS SELECT utid, name FROM thread; SELECT * FROM v"), file);
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> writer.export(writer.prepare("SELECT 1 AS a; SELECT 2 AS b"), file))
                    .withMessageContaining("one result");
        }
        try (QuerySession writer = QuerySession.open(QuerySession.engine(options), trace)) {
            writer.export(writer.prepare("SELECT utid, name FROM thread ORDER BY utid"), file);
        }
        try (Engine reader = Engine.open(new EngineOptions(0, 0, null, null).withFolder(folder), List.of());
                Rows rows = reader.run("SELECT count(*), count(name) FROM " + SqlQuoting.text(file.toString()))) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.get(0)).isEqualTo((long) trace.threads().size());
        }
    }
}
