package dev.unjank.fleet.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.fleet.run.FleetTestRuns;
import dev.unjank.query.result.QueryException;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTaskTest {

    @TempDir
    private Path folder;

    @Test
    void theDoctorsTablesHaveTheTraceInEachRow() throws Exception {
        Path trace = FleetTestRuns.example(folder, "a.pftrace");

        TraceResult outcome = FleetTestRuns.doctor().run(FleetTestRuns.file(trace));

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.tables().stream().map(ResultTable::name))
                .containsExactly("traces", "summaries", "incidents", "causes", "blames", "frame_costs", "startups");
        ResultTable incidents = outcome.tables().get(2);
        assertThat(incidents.columns().stream().map(ResultColumn::name).limit(6))
                .containsExactly("trace", "device", "os_build", "app", "app_version", "id");
        assertThat(incidents.rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row[0]).isEqualTo(trace.toString()));
        assertThat(outcome.tables().getFirst().rows())
                .singleElement()
                .satisfies(row -> assertThat(row).endsWith(new Object[] {Files.size(trace), null}));
    }

    @Test
    void aTraceThatIsCutIsReadAsFarAsItGoesAndSaysSo() throws Exception {
        byte[] whole = LauncherExample.trace();
        Path cut = Files.write(folder.resolve("cut.pftrace"), Arrays.copyOf(whole, whole.length * 3 / 4));

        TraceResult outcome = FleetTestRuns.doctor().run(new TraceFile("a.zip!/cut", cut, Files.size(cut), true));

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.tables().getFirst().rows().getFirst()[6]).isEqualTo("the missing end of a.zip!/cut");
    }

    @Test
    void aTaskThatWasSentElsewhereGivesTheSameRows() throws Exception {
        TraceFile trace = FleetTestRuns.file(FleetTestRuns.example(folder, "a.pftrace"));
        TraceTask task = FleetTestRuns.doctor();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(task);
        }
        TraceResult there;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            there = ((TraceTask) in.readObject()).run(trace);
        }

        assertThat(there).usingRecursiveComparison().isEqualTo(task.run(trace));
    }

    @Test
    void aSidecarGoesBeforeTheTraceAndNamesByTheirLastPartWillDo() throws Exception {
        TraceFile trace = FleetTestRuns.file(FleetTestRuns.example(folder, "a.pftrace"));
        LabelFile labels = new LabelFile(Map.of("a.pftrace", new TraceLabels("oriole", null, "com.example", "7")));
        TraceTask task = TraceTask.ofStatements("SELECT 1 AS one", null, labels, TraceLimits.DEFAULT);

        assertThat(task.run(trace).tables().get(1).rows())
                .singleElement()
                .satisfies(row ->
                        assertThat(row).containsExactly(trace.name(), "oriole", "6.1.0", "com.example", "7", 1L));
    }

    @Test
    void eachResultOfStatementsIsATableAndNoTwoColumnsHaveOneName() throws Exception {
        TraceFile trace = FleetTestRuns.file(FleetTestRuns.example(folder, "a.pftrace"));

        List<ResultTable> tables = FleetTestRuns.sql("SELECT 1 AS a, 2 AS A, 3 AS trace; SELECT x'00ff' AS b")
                .run(trace)
                .tables();

        assertThat(tables.stream().map(ResultTable::name)).containsExactly("traces", "result", "result_2");
        assertThat(tables.get(1).columns().stream().map(ResultColumn::name).skip(5))
                .containsExactly("a", "A_2", "trace_2");
        assertThat(tables.get(2).rows().getFirst()[5]).isEqualTo("00ff");
    }

    /**
     * An analyzer keeps its engine from trace to trace. A load that fails may leave nothing of its trace there: neither
     * the table that did not fit into memory nor one that was loaded before.
     */
    @Test
    void afterALoadThatFailedTheNextTraceIsAskedAsIfItWasTheFirst() throws Exception {
        Scene scene = new Scene();
        SceneThread main = scene.process(10, "com.example.large").mainThread("main", 120);
        for (int i = 0; i < 600_000; i++) {
            main.begin("slice").runs(0, 10 * i + 10).end();
        }
        TraceFile large =
                FleetTestRuns.file(Files.write(folder.resolve("large.pftrace"), scene.toBytes(WireFormat.COMPACT)));
        TraceFile small = FleetTestRuns.file(FleetTestRuns.example(folder, "a.pftrace"));
        TraceLimits limits = new TraceLimits(Duration.ofMinutes(5), 1L << 30, 1_000_000, 16L << 20);
        TraceTask task = TraceTask.ofStatements(
                "SELECT count(*) FROM thread; SELECT count(*) FROM slice", null, LabelFile.EMPTY, limits);
        TraceResult expected = task.run(small);
        assertThat(expected.failure()).isNull();

        try (TraceAnalyzer analyzer = task.analyzer()) {
            for (int i = 0; i < 2; i++) {
                assertThat(analyzer.ask(large).failure()).isNotNull().doesNotContain("exist");
                assertThat(analyzer.ask(small)).usingRecursiveComparison().isEqualTo(expected);
                assertThat(analyzer.ask(small)).usingRecursiveComparison().isEqualTo(expected);
            }
        }
    }

    @Test
    void whateverIsWrongIsTheReasonOfAFailure() throws Exception {
        Path broken = Files.writeString(folder.resolve("b.pftrace"), "nothing of the kind");
        TraceFile good = FleetTestRuns.file(FleetTestRuns.example(folder, "a.pftrace"));

        assertThat(FleetTestRuns.doctor().run(FleetTestRuns.file(broken)).failure())
                .isNotNull()
                .doesNotContain("b.pftrace:");
        assertThat(FleetTestRuns.doctor()
                        .run(new TraceFile("x", folder.resolve("x"), 0, false))
                        .failure())
                .isEqualTo("no such file");
        assertThat(FleetTestRuns.sql("SELECT 9223372036854775807 + count(*) FROM thread")
                        .run(good)
                        .failure())
                .isNotNull();
        TraceLimits small = TraceLimits.DEFAULT.withBytes(10);
        assertThat(TraceTask.ofStatements("SELECT 1", null, LabelFile.EMPTY, small)
                        .run(good)
                        .failure())
                .isEqualTo("larger than 10 bytes");
        TraceLimits few = new TraceLimits(Duration.ofSeconds(60), 1 << 30, 3, 1 << 28);
        assertThat(TraceTask.ofStatements("SELECT * FROM thread_state", null, LabelFile.EMPTY, few)
                        .run(good)
                        .failure())
                .isEqualTo("result has more than 3 rows");
    }

    @Test
    void aReasonNamesWhatWasTakenOutOfAnArchiveAsItIsCalledThere() throws Exception {
        Path taken = folder.resolve("trace123.tmp");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(taken))) {
            zip.putNextEntry(new ZipEntry("a.pftrace"));
            zip.write(LauncherExample.trace());
            zip.putNextEntry(new ZipEntry("b.txt"));
            zip.write("# tracer: nop\n  a-1 [000] .... 1.000000: sched_wakeup: comm=b pid=2 prio=120 target_cpu=000\n"
                    .getBytes(StandardCharsets.UTF_8));
        }

        assertThat(FleetTestRuns.doctor()
                        .run(new TraceFile("/t/m.tar!/a.zip", taken, Files.size(taken), true))
                        .failure())
                .startsWith("/t/m.tar!/a.zip/b.txt: shares no clock with /t/m.tar!/a.zip/a.pftrace");
    }

    /** One engine asks one trace after another. */
    @Test
    void whatStatementsLeaveBehindIsGoneForTheNextTrace() throws Exception {
        TraceFile trace = FleetTestRuns.file(FleetTestRuns.example(folder, "a.pftrace"));
        TraceTask task =
                FleetTestRuns.sql("CREATE TABLE IF NOT EXISTS seen AS SELECT 1 AS one; INSERT INTO seen VALUES (2);"
                        + " CREATE PERFETTO MACRO m() RETURNS Expr AS 3; SELECT count(*) AS n, m!() AS m FROM seen");

        try (TraceAnalyzer analyzer = task.analyzer()) {
            for (int i = 0; i < 3; i++) {
                TraceResult outcome = analyzer.ask(trace);

                assertThat(outcome.failure()).isNull();
                assertThat(outcome.tables().getLast().rows())
                        .singleElement()
                        .satisfies(row -> assertThat(row).endsWith(2L, 3L));
            }
        }
    }

    @Test
    void statementsThatTakeTooLongAreStopped() throws Exception {
        TraceFile trace = FleetTestRuns.file(FleetTestRuns.example(folder, "a.pftrace"));
        TraceTask endless = TraceTask.ofStatements(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT max(i) FROM n",
                null,
                LabelFile.EMPTY,
                TraceLimits.DEFAULT.withTime(Duration.ofMillis(300)));

        assertThat(endless.run(trace).failure()).contains("stopped after the time limit of 300 ms");
        assertThatExceptionOfType(QueryException.class)
                .as("already of a trace with nothing in it")
                .isThrownBy(endless::check)
                .withMessageContaining("stopped after the time limit of 300 ms");
    }

    @Test
    void aMistakeInStatementsIsFoundBeforeAnyTraceIsRead() {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> FleetTestRuns.sql("SELECT durr FROM slice").check())
                .withMessageContaining("durr");
        for (String nothing : new String[] {"", "-- SELECT 1\n", "CREATE PERFETTO TABLE t AS SELECT 1 AS a"}) {
            assertThatExceptionOfType(QueryException.class)
                    .isThrownBy(() -> FleetTestRuns.sql(nothing).check())
                    .withMessageContaining("no statement has a result");
        }
    }
}
