package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.trace.model.UnusableTraceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a folder is, and what a run finds in it that goes on. */
class ResumedRunTest {

    @TempDir
    private Path folder;

    @Test
    void goingOnDoesOnlyWhatIsNewAndForgetsWhatWasHalfWritten() throws Exception {
        Path traces = FleetTestRuns.many(folder, 5);
        Files.writeString(traces.resolve("broken.pftrace"), "no trace");
        Path out = folder.resolve("out");
        FleetTestRuns.run(FleetTestRuns.NAMES, out, false, traces);
        Files.write(traces.resolve("t6.pftrace"), FleetTestRuns.tiny(6));
        Files.createDirectories(out.resolve(".part-000001/x"));
        Files.writeString(out.resolve(".part-000001/result.parquet"), "PAR1, cut");

        RunTotals tally = FleetTestRuns.run(FleetTestRuns.NAMES, out, true, traces);

        assertThat(tally).extracting(RunTotals::traces, RunTotals::before).containsExactly(1L, 6L);
        assertThat(FleetTestRuns.rows(out, "SELECT count(*), count(DISTINCT trace) FROM {result}"))
                .containsExactly(List.of(6L, 6L));
        assertThat(out.resolve("part=000001")).isDirectory();
        assertThat(out.resolve(".part-000001")).doesNotExist();
    }

    @Test
    void aFolderIsGuardedAgainstMistakes() throws Exception {
        Path traces = FleetTestRuns.many(folder, 1);
        Path out = folder.resolve("out");
        FleetTestRuns.run(FleetTestRuns.NAMES, out, false, traces);

        refused(out, FleetTestRuns.NAMES, false, "contains an earlier run");
        refused(out, FleetTestRuns.sql("SELECT 1"), true, "the earlier run had other options");
        LabelFile labels = new LabelFile(Map.of("a", new TraceLabels("oriole", null, null, null)));
        TraceTask labelled =
                new TraceTask(FleetTestRuns.NAMES.questions(), null, null, labels, FleetTestRuns.NAMES.limits());
        refused(out, labelled, true, "the earlier run had other options");
        refused(traces.resolve("t1.pftrace"), FleetTestRuns.NAMES, false, "is not a folder");
        refused(folder.resolve("a[1]"), FleetTestRuns.NAMES, false, "interpret as a pattern");
        refused(traces, FleetTestRuns.NAMES, false, "neither empty nor an output folder of unjank fleet");
        assertThat(traces.toFile().list()).as("the strangers' folder").containsExactly("t1.pftrace");
        for (String hidden : List.of(".traces", ".part-mine", ".git")) {
            Path strangers = Files.createDirectories(folder.resolve("strangers" + hidden));
            Files.createDirectory(strangers.resolve(hidden));
            refused(strangers, FleetTestRuns.NAMES, false, "neither empty nor an output folder of unjank fleet");
            assertThat(strangers.toFile().list()).containsExactly(hidden);
        }
        try (FleetFolder _ = FleetFolder.open(out, FleetTestRuns.NAMES, true)) {
            refused(out, FleetTestRuns.NAMES, true, "another run is writing");
        }
    }

    @Test
    void whatARunLeavesThatWasKilledBeforeItHadAnythingIsNoStrangers() throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        Files.createFile(out.resolve(".lock"));
        Files.writeString(out.resolve(".fleet.json"), "{");
        Files.createDirectory(out.resolve(".unjank-1-7-0123abcd.tmp"));
        Files.createDirectory(out.resolve(".part-000000"));
        Files.createDirectory(out.resolve(".part-app-20261122-0001-1795000000000-7"));

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, FleetTestRuns.many(folder, 1))
                        .traces())
                .isEqualTo(1);
        assertThat(out.toFile().list())
                .containsExactlyInAnyOrder(".lock", ".unjank-1-7-0123abcd.tmp", "fleet.json", "part=000000");
    }

    private static void refused(Path out, TraceTask task, boolean resume, String why) {
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> FleetFolder.open(out, task, resume).close())
                .withMessageContaining(why);
    }

    @Test
    void aRunThatIsToStopKeepsWhatItHas() throws Exception {
        Path traces = FleetTestRuns.many(folder, 40);
        Path out = folder.resolve("out");
        LocalRun.Watcher watcher = new LocalRun.Watcher() {
            private long done;

            @Override
            public void done(RunTotals tally) {
                done = tally.traces();
            }

            @Override
            public boolean isStopWanted() {
                return done >= 3;
            }
        };
        RunTotals first = FleetTestRuns.run(FleetTestRuns.NAMES, out, false, watcher, traces);

        assertThat(first.traces()).isEqualTo(3);
        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, true, traces))
                .extracting(RunTotals::before, RunTotals::traces)
                .containsExactly(3L, 37L);
        assertThat(FleetTestRuns.rows(out, "SELECT count(*), count(DISTINCT trace) FROM {result}"))
                .containsExactly(List.of(40L, 40L));
    }

    @Test
    void aRunThatFoundNothingLeavesTheFolderToTheNext() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path out = folder.resolve("out");

        assertThat(FleetTestRuns.run(FleetTestRuns.NAMES, out, false, empty)).isEqualTo(RunTotals.NOTHING);
        assertThat(FleetTestRuns.run(FleetTestRuns.sql("SELECT 1 AS one"), out, false, FleetTestRuns.many(folder, 1))
                        .traces())
                .isEqualTo(1);
    }
}
