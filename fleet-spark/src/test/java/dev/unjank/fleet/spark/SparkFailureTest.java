package dev.unjank.fleet.spark;

import static dev.unjank.fleet.spark.SparkTestRuns.DOCTOR;
import static dev.unjank.fleet.spark.SparkTestRuns.local;
import static dev.unjank.fleet.spark.SparkTestRuns.rows;
import static dev.unjank.fleet.spark.SparkTestRuns.spark;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.fleet.run.StuckWorkers;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** What file systems, traces and other attempts do to a run. */
@Tag("slow")
class SparkFailureTest {

    @TempDir
    private Path folder;

    private Path traces;
    private Path out;

    @BeforeEach
    void traces() throws Exception {
        traces = Files.createDirectory(folder.resolve("traces"));
        out = folder.resolve("out");
        for (String name : List.of("a", "b", "c")) {
            Files.write(traces.resolve(name), LauncherExample.trace());
        }
    }

    @AfterEach
    void noTrouble() {
        FaultyHadoopFileSystem.TROUBLE.clear();
        FaultyHadoopFileSystem.copied = _ -> {};
    }

    private RunTotals run(JavaSparkContext spark, String scheme, boolean resume) throws IOException {
        return SparkRun.run(spark, DOCTOR, List.of(scheme + traces), scheme + out, resume, 4);
    }

    private static void zip(Path file, String... names) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(LauncherExample.trace());
            }
        }
    }

    @Test
    void whatCannotBeReadAtFirstIsReadLater() throws Exception {
        FaultyHadoopFileSystem.TROUBLE.put("b", 2);
        try (JavaSparkContext spark = spark("local[1, 3]")) {
            assertThat(run(spark, "elsewhere:", false))
                    .extracting(RunTotals::traces, RunTotals::failures)
                    .containsExactly(3L, 0L);
        }
        assertThat(FaultyHadoopFileSystem.TROUBLE).containsEntry("b", -1);
        assertThat(rows(out).get("traces")).hasSize(3);
        assertThat(rows(out)).doesNotContainKey("failures");
    }

    /** On one thread Spark makes one attempt, whatever the settings say. */
    @Test
    void whatCannotBeReadAtLastIsAFailureAndEndsNoRun() throws Exception {
        for (String master : List.of("local[1,3]", "local[1]")) {
            FaultyHadoopFileSystem.TROUBLE.put("b", 10);
            out = folder.resolve("out of " + master.length());
            try (JavaSparkContext spark = spark(master)) {
                RunTotals tally = run(spark, "elsewhere:", false);
                assertThat(tally)
                        .extracting(RunTotals::traces, RunTotals::failures)
                        .containsExactly(3L, 1L);
            }
            assertThat(FaultyHadoopFileSystem.TROUBLE).containsEntry("b", master.equals("local[1]") ? 9 : 7);
            assertThat(rows(out).get("failures"))
                    .singleElement()
                    .asString()
                    .contains("elsewhere:" + traces + "/b, java.io.IOException, ");
        }
    }

    @Test
    void anArchiveThatFailedIsLookedIntoAgainAndFailsOnce() throws Exception {
        Path zip = Files.createFile(traces.resolve("d.zip"));
        try (JavaSparkContext spark = spark("local[1]")) {
            assertThat(run(spark, "", false))
                    .extracting(RunTotals::traces, RunTotals::failures)
                    .containsExactly(4L, 1L);
            assertThat(run(spark, "", true))
                    .extracting(RunTotals::traces, RunTotals::before)
                    .containsExactly(0L, 4L);

            zip(zip, "x", "y");
            assertThat(run(spark, "", true))
                    .extracting(RunTotals::traces, RunTotals::before)
                    .containsExactly(2L, 4L);
        }
        assertThat(rows(out).get("failures")).singleElement().asString().contains("d.zip, is empty");
        assertThat(rows(out).get("traces")).hasSize(5).anyMatch(row -> row.contains("d.zip!/y"));
    }

    @Test
    void anArchiveThatCannotBeHadFailsOnce() throws Exception {
        zip(traces.resolve("d.zip"), "x");
        FaultyHadoopFileSystem.TROUBLE.put("d.zip", 2);
        try (JavaSparkContext spark = spark("local[1]")) {
            assertThat(run(spark, "elsewhere:", false).failures()).isEqualTo(1);
            assertThat(run(spark, "elsewhere:", true))
                    .extracting(RunTotals::traces, RunTotals::before)
                    .containsExactly(0L, 4L);
            assertThat(run(spark, "elsewhere:", true))
                    .extracting(RunTotals::traces, RunTotals::before)
                    .containsExactly(1L, 4L);
        }
        assertThat(rows(out).get("failures")).hasSize(1);
    }

    /** Also what is not asked for any more. */
    @Test
    void whatWasDoneBeforeIsCountedAsWithoutSpark() throws Exception {
        try (FleetFolder local = FleetFolder.open(out, DOCTOR, false)) {
            LocalRun.run(DOCTOR, new Inputs(List.of(traces.toString()), null), 1, local, _ -> {});
        }
        List<String> one = List.of(traces.resolve("a").toString());
        RunTotals local;
        try (FleetFolder again = FleetFolder.open(out, DOCTOR, true)) {
            local = LocalRun.run(DOCTOR, new Inputs(one, null), 1, again, _ -> {});
        }
        try (JavaSparkContext spark = spark("local[1]")) {
            assertThat(SparkRun.run(spark, DOCTOR, one, out.toString(), true, 4))
                    .isEqualTo(local);
        }
        assertThat(local.before()).isEqualTo(3);
    }

    @Test
    void tracesWithoutEndEndTheRunAndWhatWasDoneIsKept() throws Exception {
        try (JavaSparkContext spark = spark("local[1]")) {
            try (StuckWorkers _ = new StuckWorkers()) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> run(spark, "", false))
                        .withMessage(
                                "too many traces exceeded the time limit and could not be stopped; finished traces are kept,"
                                        + " continue with --resume");
            }
            RunTotals tally = run(spark, "", false);
            assertThat(tally.traces())
                    .as("of a run that had begun with nothing")
                    .isEqualTo(3);
        }
        assertThat(rows(out)).isEqualTo(rows(local(DOCTOR, traces)));
    }

    @Test
    void aFolderThatCannotBeLookedIntoIsOneFailure() throws Exception {
        Path closed = Files.createDirectory(traces.resolve("closed"));
        Files.write(closed.resolve("inside"), LauncherExample.trace());
        try (JavaSparkContext spark = spark("local[1,3]")) {
            assertThat(run(spark, "elsewhere:", false))
                    .extracting(RunTotals::traces, RunTotals::failures)
                    .containsExactly(4L, 1L);
            assertThat(run(spark, "elsewhere:", true))
                    .extracting(RunTotals::traces, RunTotals::before)
                    .containsExactly(0L, 4L);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() ->
                            SparkRun.run(spark, DOCTOR, List.of("elsewhere:" + closed), folder + "/other", false, 4));
        }
        assertThat(rows(out).get("failures"))
                .singleElement()
                .asString()
                .contains("elsewhere:" + closed + ", is a folder that cannot be listed, ");
    }

    @Test
    void aFolderOfThisMachineHasTheNameThatItHasWithoutSpark() {
        assertThat(RemoteInputs.folder(traces.toUri(), 0).name()).isEqualTo(traces.toString());
    }

    @Test
    void aRunThatFindsNothingLeavesItsFolderToOthers() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        try (JavaSparkContext spark = spark("local[1]")) {
            RunTotals tally = SparkRun.run(spark, DOCTOR, List.of(empty.toString()), out.toString(), false, 4);

            assertThat(tally.isEmpty()).isTrue();
        }
        assertThat(out.resolve("fleet.json")).doesNotExist();
    }

    @Test
    void aStrangersFolderIsLeftAsItIs() throws Exception {
        Files.writeString(Files.createDirectory(out).resolve(".part-mine"), "");
        try (JavaSparkContext spark = spark("local[1]")) {
            for (String scheme : List.of("", "elsewhere:")) {
                assertThatExceptionOfType(UnusableTraceException.class)
                        .isThrownBy(() -> run(spark, scheme, false))
                        .withMessageEndingWith(
                                "is neither empty nor an output folder of unjank fleet; choose another one");
            }
        }
        try (Stream<Path> left = Files.list(out)) {
            assertThat(left).containsExactly(out.resolve(".part-mine"));
        }
    }

    @Test
    void whatAWorkerWritesIsAmongSparksOwnTemporaryFiles() throws Exception {
        List<Path> from = new ArrayList<>();
        FaultyHadoopFileSystem.copied = from::add;
        try (JavaSparkContext spark = spark("local[1]")) {
            run(spark, "elsewhere:", false);

            Path own = Path.of(Utils.getLocalDir(spark.getConf())).toRealPath();
            assertThat(from).singleElement().matches(path -> path.startsWith(own));
            assertThat(from.getFirst().getParent()).doesNotExist();
        }
    }

    /** Two attempts of one partition that both finish; Spark reports one to the driver. */
    @Test
    void ofTwoAttemptsOneCounts() throws Exception {
        List<PartitionFunction.Done> done = new ArrayList<>();
        try (JavaSparkContext spark = spark("local[2]");
                RemoteFolder fleet = RemoteFolder.open(out.toString(), DOCTOR, false, spark.hadoopConfiguration())) {
            List<RemoteFile> files = RemoteInputs.list(List.of(traces.toString()), spark.hadoopConfiguration());
            spark.sc()
                    .runJob(
                            spark.parallelize(List.of(files, files), 2).rdd(),
                            new PartitionFunction(DOCTOR, fleet.uri(), "test", 1),
                            new AbstractFunction2<Object, PartitionFunction.Done, BoxedUnit>() {
                                @Override
                                public BoxedUnit apply(Object partition, PartitionFunction.Done attempt) {
                                    done.add(attempt);
                                    return BoxedUnit.UNIT;
                                }
                            },
                            ClassTag$.MODULE$.apply(PartitionFunction.Done.class));
            assertThat(done)
                    .extracting(PartitionFunction.Done::tally)
                    .hasSize(2)
                    .allMatch(tally -> tally.traces() == 3);
            assertThat(out.resolve("part=000000")).doesNotExist();

            fleet.add(done.getFirst());
            assertThat(rows(out)).isEqualTo(rows(local(DOCTOR, traces)));
            fleet.clearUp();
        }
        try (Stream<Path> left = Files.list(out)) {
            assertThat(left.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder(".lock", "fleet.json", "part=000000");
        }
    }

    /** Spark's own processes but for its executors, on two hosts, as it makes no second attempt beside the first. */
    private static final class TwoHosts implements AutoCloseable {
        private final List<RpcEnv> processes = new ArrayList<>();
        private final String master;

        TwoHosts(Path work) {
            SparkConf conf = new SparkConf()
                    .set("spark.master.rest.enabled", "false")
                    .set("spark.shuffle.service.enabled", "false");
            RpcEnv head = Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)._1();
            processes.add(head);
            master = "spark://" + head.address().hostPort();
            for (int host = 1; host <= 2; host++) {
                processes.addFirst(Worker.startRpcEnvAndEndpoint(
                        "127.0.0." + host,
                        0,
                        0,
                        1,
                        1_024,
                        new String[] {master},
                        work.toString(),
                        Option.apply(host),
                        conf,
                        Option.empty()));
            }
        }

        @Override
        public void close() {
            for (RpcEnv process : processes) {
                process.shutdown();
                process.awaitTermination();
            }
        }
    }

    @Test
    @Tag("long")
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs all of 127.0.0.0/8")
    void aSecondAttemptBesideTheFirstRepeatsNoRow() throws Exception {
        Files.write(traces.resolve("twice"), LauncherExample.trace());
        Path meeting = Files.createDirectory(folder.resolve("meeting"));
        AtomicInteger second = new AtomicInteger();
        try (TwoHosts hosts = new TwoHosts(Files.createDirectory(folder.resolve("work")));
                JavaSparkContext spark = spark(
                        hosts.master,
                        Map.of(
                                "spark.speculation",
                                "true",
                                "spark.speculation.interval",
                                "100ms",
                                "spark.speculation.quantile",
                                "0.5",
                                "spark.speculation.efficiency.enabled",
                                "false",
                                "spark.hadoop." + FaultyHadoopFileSystem.MEETING,
                                meeting.toString()))) {
            spark.sc().addSparkListener(new SparkListener() {
                @Override
                public void onTaskStart(SparkListenerTaskStart start) {
                    if (start.taskInfo().speculative()) {
                        second.incrementAndGet();
                    }
                }
            });
            RunTotals tally = SparkRun.run(spark, DOCTOR, List.of("elsewhere:" + traces), "elsewhere:" + out, false, 1);

            assertThat(tally.traces()).isEqualTo(4);
        }
        assertThat(second).hasPositiveValue();
        assertThat(meeting.resolve("done"))
                .as("of the second attempt, for which the first has waited")
                .exists();
        assertThat(rows(out).get("traces")).hasSize(4);
        try (Stream<Path> left = Files.list(out)) {
            assertThat(left.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder(
                            "fleet.json", "part=000000", "part=000001", "part=000002", "part=000003");
        }
    }

    @Test
    void thatAnotherRunWritesIsSaidAsItIs() throws Exception {
        FaultyHadoopFileSystem.copied = _ -> {
            try {
                Files.createDirectory(out.resolve("part=000000"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        try (JavaSparkContext spark = spark("local[1]")) {
            assertThatExceptionOfType(UnusableTraceException.class)
                    .isThrownBy(() -> run(spark, "elsewhere:", false))
                    .withMessage("elsewhere:" + out + ": another run is writing to it");
        }
    }
}
