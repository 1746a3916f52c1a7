package dev.unjank.fleet.spark;

import static dev.unjank.fleet.spark.SparkTestRuns.DOCTOR;
import static dev.unjank.fleet.spark.SparkTestRuns.local;
import static dev.unjank.fleet.spark.SparkTestRuns.rows;
import static dev.unjank.fleet.spark.SparkTestRuns.spark;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows are those of a run without Spark, whatever happens to workers. */
class SparkRunTest {

    @TempDir
    private Path folder;

    private Path traces;

    @BeforeEach
    void traces() throws Exception {
        traces = Files.createDirectory(folder.resolve("traces"));
        for (int i = 0; i < 12; i++) {
            Files.write(traces.resolve("t" + i + ".pftrace"), LauncherExample.trace());
        }
        Files.write(traces.resolve("broken one"), new byte[] {1, 2, 3});
        Files.writeString(traces.resolve("notes"), "no trace");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(traces.resolve("more.zip")))) {
            zip.putNextEntry(new ZipEntry("in/z.pftrace"));
            zip.write(LauncherExample.trace());
        }
    }

    /** Statements that answer twice, and of some traces with nothing; with labels. */
    private TraceTask statements() throws IOException {
        Path labels = Files.writeString(
                folder.resolve("labels.csv"),
                "file,device,app,app_version\nt1.pftrace,oriole,com.example,7\nz.pftrace,,com.example,8\n");
        return TraceTask.ofStatements(
                "SELECT name, dur FROM slice ORDER BY dur DESC, ts LIMIT 3;"
                        + " SELECT utid, tid, name FROM thread WHERE utid % 2 = 0",
                null, LabelFile.read(labels), TraceLimits.DEFAULT);
    }

    @Test
    void theRowsAreThoseOfALocalRunAndARunCanBeGoneOnWith() throws Exception {
        Path out = folder.resolve("spark");
        Path late = traces.resolve("t3.pftrace");
        Path aside = Files.move(late, folder.resolve("aside"));
        try (JavaSparkContext spark = spark("local[2]")) {
            RunTotals first = SparkRun.run(spark, DOCTOR, List.of(traces.toString()), out.toString(), false, 4);
            Files.move(aside, late);
            RunTotals second = SparkRun.run(spark, DOCTOR, List.of(traces + "/*"), out.toString(), true, 4);

            assertThat(first.traces()).isEqualTo(13);
            assertThat(first.failures()).isEqualTo(1);
            assertThat(second.traces()).isEqualTo(1);
            assertThat(second.before()).isEqualTo(13);
            assertThatExceptionOfType(UnusableTraceException.class)
                    .isThrownBy(() -> SparkRun.run(spark, DOCTOR, List.of(traces.toString()), out.toString(), false, 4))
                    .withMessageContaining("contains an earlier run");
            assertThatExceptionOfType(FileNotFoundException.class)
                    .isThrownBy(() -> SparkRun.run(spark, DOCTOR, List.of(folder + "/nope"), out + "2", false, 4));
        }
        Map<String, List<String>> rows = rows(out);
        assertThat(rows).isEqualTo(rows(local(DOCTOR, traces)));
        assertThat(rows.keySet())
                .containsExactly(
                        "blames",
                        "causes",
                        "failures",
                        "frame_costs",
                        "incidents",
                        "skipped",
                        "startups",
                        "summaries",
                        "traces");
        assertThat(rows.get("traces")).hasSize(13).anyMatch(row -> row.contains("more.zip!/in/z.pftrace"));
        assertThat(rows.get("incidents")).hasSizeGreaterThan(13);
        assertThat(rows.get("failures")).singleElement().asString().contains("broken one, not a trace");
        assertThat(rows.get("skipped")).singleElement().asString().contains("notes, 8");
        try (Stream<Path> left = Files.list(out)) {
            assertThat(left.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder(
                            ".lock",
                            "fleet.json",
                            "part=000000",
                            "part=000001",
                            "part=000002",
                            "part=000003",
                            "part=000004");
        }
    }

    /** As a kill leaves it, when only some of an archive's traces have been written. */
    @Test
    void anArchiveThatALocalRunHasDoneInPartIsGoneOnWith() throws Exception {
        Path odd = Files.createDirectory(folder.resolve("odd!")); // !/ comes before the archive, too
        Path zip = Files.move(traces.resolve("more.zip"), odd.resolve("more.zip"));
        Path out = folder.resolve("out");
        try (FleetFolder fleet = FleetFolder.open(out, DOCTOR, false)) {
            LocalRun.run(DOCTOR, new Inputs(List.of(zip.toString()), null), 1, fleet, _ -> {});
        }
        Path unpacked =
                Files.createFile(Files.createDirectory(out.resolve(".traces")).resolve("trace1"));
        try (ZipOutputStream bytes = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (String name : List.of("in/z.pftrace", "in/late.pftrace")) {
                bytes.putNextEntry(new ZipEntry(name));
                bytes.write(LauncherExample.trace());
            }
        }
        try (JavaSparkContext spark = spark("local[1]")) {
            RunTotals tally = SparkRun.run(spark, DOCTOR, List.of(zip.toString()), out.toString(), true, 4);
            assertThat(tally).extracting(RunTotals::traces, RunTotals::before).containsExactly(1L, 1L);
            assertThat(unpacked.getParent()).doesNotExist();

            RunTotals again = SparkRun.run(spark, DOCTOR, List.of(zip.toString()), out.toString(), true, 4);
            assertThat(again).isEqualTo(new RunTotals(0, 0, 0, 0, 0, 2, 0));
        }
        assertThat(rows(out).get("traces"))
                .hasSize(2)
                .anyMatch(row -> row.contains("more.zip!/in/late.pftrace"))
                .anyMatch(row -> row.contains("more.zip!/in/z.pftrace"));
        assertThat(out.resolve("part=000001")).isDirectory();
        assertThat(out.resolve("part=000002")).doesNotExist();
    }

    /** So that a worker does not keep all of its rows in memory. */
    @Test
    void anArchiveWithManyRowsHasSeveralFilesOfEachTableAndIsNotAskedAgain() throws Exception {
        TraceTask task = TraceTask.ofStatements(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)"
                        + " SELECT a.i AS a, b.i AS b FROM n AS a, n AS b",
                null,
                LabelFile.EMPTY,
                TraceLimits.DEFAULT);
        Path zip = folder.resolve("large.zip");
        try (ZipOutputStream bytes = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (String name : List.of("a", "b", "c")) {
                bytes.putNextEntry(new ZipEntry(name));
                bytes.write(LauncherExample.trace());
            }
        }
        Path out = folder.resolve("out");
        try (JavaSparkContext spark = spark("local[1]")) {
            SparkRun.run(spark, task, List.of(zip.toString()), out.toString(), false, 4);

            RunTotals again = SparkRun.run(spark, task, List.of(zip.toString()), out.toString(), true, 4);
            assertThat(again).isEqualTo(new RunTotals(0, 0, 0, 0, 0, 3, 0));
        }
        assertThat(out.resolve("part=000000/result.2.parquet")).exists();
        assertThat(rows(out).get("result")).hasSize(3 * 250 * 250);
    }

    @Test
    void statementsAndLabelsGiveTheSameRowsToo() throws Exception {
        TraceTask task = statements();
        Path out = folder.resolve("spark");
        try (JavaSparkContext spark = spark("local[2]")) {
            RunTotals tally = SparkRun.run(spark, task, List.of(traces + "/**"), out.toString(), false, 3);
            assertThat(tally.labelled()).as("that have labels").isEqualTo(2);
            RunTotals again = SparkRun.run(spark, task, List.of(traces + "/**"), out.toString(), true, 3);
            assertThat(again).isEqualTo(new RunTotals(0, 0, 0, 0, 0, 14, 2));
        }

        Map<String, List<String>> rows = rows(out);
        assertThat(rows).isEqualTo(rows(local(task, traces)));
        assertThat(rows.keySet()).containsExactly("failures", "result", "result_2", "skipped", "traces");
        assertThat(rows.get("result"))
                .hasSize(3 * 13)
                .filteredOn(row -> row.contains("/t1.pftrace, oriole, 6.1.0, com.example, 7, "))
                .hasSize(3);
        assertThat(rows.get("result_2"))
                .anyMatch(row -> row.contains("more.zip!/in/z.pftrace, null, 6.1.0, com.example, 8, "));
    }

    /** Another driver, or a run without Spark. */
    @Test
    void aFolderThatAnotherRunWritesToIsRefusedAtOnce() throws Exception {
        Path out = folder.resolve("out");
        List<String> inputs = List.of(traces.toString());
        try (JavaSparkContext spark = spark("local[1]")) {
            try (FleetFolder _ = FleetFolder.open(out, DOCTOR, false)) {
                assertThatExceptionOfType(UnusableTraceException.class)
                        .isThrownBy(() -> SparkRun.run(spark, DOCTOR, inputs, out.toString(), true, 4))
                        .withMessageEndingWith("another run is writing to it");
            }
            assertThat(SparkRun.run(spark, DOCTOR, inputs, out.toString(), false, 4)
                            .traces())
                    .isEqualTo(14);
        }
    }

    @Test
    void whatLiesElsewhereIsFetchedAndLockedToo() throws Exception {
        Path out = folder.resolve("out");
        Path lock = Files.createDirectory(out).resolve(".lock");
        String there = "elsewhere:" + out;
        List<String> inputs = List.of("elsewhere:" + traces);
        try (JavaSparkContext spark = spark("local[2]")) {
            Files.writeString(lock, "process 1 of another.host\n");
            assertThatExceptionOfType(UnusableTraceException.class)
                    .isThrownBy(() -> SparkRun.run(spark, DOCTOR, inputs, there, false, 4))
                    .withMessageContaining("another run is writing to it (process 1 of another.host)");
            Files.delete(lock);

            SparkRun.run(spark, DOCTOR, inputs, there, false, 4);
        }
        assertThat(lock).doesNotExist();
        Map<String, List<String>> rows = rows(out);
        rows.replaceAll((_, all) -> all.stream()
                .map(row -> row.replace("elsewhere:" + traces, traces.toString()))
                .sorted()
                .toList());
        assertThat(rows).isEqualTo(rows(local(DOCTOR, traces)));
    }

    /** Kills the process of a worker when it begins with a trace, once, and hears of what was lost by that. */
    private static final class Killer extends SparkListener {
        /** By then both workers have left something. */
        private static final int LATE = 5;

        private final AtomicBoolean isDone = new AtomicBoolean();
        private final AtomicInteger lost = new AtomicInteger();

        @Override
        public void onTaskStart(SparkListenerTaskStart start) {
            if (start.taskInfo().index() >= LATE && isDone.compareAndSet(false, true)) {
                List<ProcessHandle> workers = ProcessHandle.current()
                        .children()
                        .filter(child -> isOf(child, start.taskInfo().executorId()))
                        .toList();
                assertThat(workers).as("its process").hasSize(1);
                workers.getFirst().destroyForcibly();
            }
        }

        /** The command from /proc, since the JDK truncates long ones. */
        private static boolean isOf(ProcessHandle process, String executor) {
            try {
                return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                        .contains("\0--executor-id\0" + executor + "\0");
            } catch (IOException e) {
                return false; // it has ended
            }
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.reason() instanceof ExecutorLostFailure) {
                lost.incrementAndGet();
            }
        }
    }

    @Test
    @Tag("long")
    void aKilledWorkerCostsNoRowAndRepeatsNone() throws Exception {
        // A trace lasts longer than it takes to hear of its beginning.
        TraceTask task = TraceTask.ofStatements(
                "SELECT name, dur FROM slice ORDER BY dur DESC, ts LIMIT 3;"
                        + " WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
                        + " SELECT count(*) AS steps FROM n",
                null,
                LabelFile.EMPTY,
                TraceLimits.DEFAULT);
        Path out = folder.resolve("spark");
        Killer killer = new Killer();
        try (JavaSparkContext spark = spark("local-cluster[2,1,1024]")) {
            spark.sc().addSparkListener(killer);

            RunTotals tally = SparkRun.run(spark, task, List.of(traces.toString()), out.toString(), false, 1);

            assertThat(tally.traces()).isEqualTo(14);
        }
        assertThat(killer.lost).as("traces that a worker took with it").hasValueGreaterThan(0);
        assertThat(rows(out)).isEqualTo(rows(local(task, traces)));
    }

    @Test
    void partitionsAreFullOrLarge() {
        List<RemoteFile> files = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            files.add(new RemoteFile("file:/t" + i, i == 5 ? 1L << 40 : 1, true));
        }

        assertThat(SparkRun.partitions(files, 4).stream().map(List::size)).containsExactly(4, 1, 1, 4);
        assertThat(SparkRun.partitions(List.of(), 4)).isEmpty();
    }
}
