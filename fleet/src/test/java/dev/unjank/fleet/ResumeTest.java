package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.trace.UnusableTraceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a folder is, and what a run finds in it that goes on. */
class ResumeTest {

    @TempDir
    private Path folder;

    @Test
    void goingOnDoesOnlyWhatIsNewAndForgetsWhatWasHalfWritten() throws Exception {
        Path traces = Traces.many(folder, 5);
        Files.writeString(traces.resolve("broken.pftrace"), "no trace");
        Path out = folder.resolve("out");
        Traces.run(Traces.NAMES, out, false, traces);
        Files.write(traces.resolve("t6.pftrace"), Traces.tiny(6));
        Files.createDirectories(out.resolve(".part-000001/x"));
        Files.writeString(out.resolve(".part-000001/result.parquet"), "PAR1, cut");

        Tally tally = Traces.run(Traces.NAMES, out, true, traces);

        assertThat(tally).extracting(Tally::traces, Tally::before).containsExactly(1L, 6L);
        assertThat(Traces.rows(out, "SELECT count(*), count(DISTINCT trace) FROM {result}"))
                .containsExactly(List.of(6L, 6L));
        assertThat(out.resolve("part=000001")).isDirectory();
        assertThat(out.resolve(".part-000001")).doesNotExist();
    }

    @Test
    void aFolderIsGuardedAgainstMistakes() throws Exception {
        Path traces = Traces.many(folder, 1);
        Path out = folder.resolve("out");
        Traces.run(Traces.NAMES, out, false, traces);

        refused(out, Traces.NAMES, false, "holds a run already");
        refused(out, Traces.sql("SELECT 1"), true, "asked something else");
        LabelBook labels = new LabelBook(Map.of("a", new Labels("oriole", null, null, null)));
        TraceTask labelled = new TraceTask(Traces.NAMES.questions(), null, null, labels, Traces.NAMES.limits());
        refused(out, labelled, true, "asked something else");
        refused(traces.resolve("t1.pftrace"), Traces.NAMES, false, "is no folder");
        refused(folder.resolve("a[1]"), Traces.NAMES, false, "take for a pattern");
        refused(traces, Traces.NAMES, false, "neither empty nor a run's");
        assertThat(traces.toFile().list()).as("the strangers' folder").containsExactly("t1.pftrace");
        for (String hidden : List.of(".traces", ".part-mine", ".git")) {
            Path strangers = Files.createDirectories(folder.resolve("strangers" + hidden));
            Files.createDirectory(strangers.resolve(hidden));
            refused(strangers, Traces.NAMES, false, "neither empty nor a run's");
            assertThat(strangers.toFile().list()).containsExactly(hidden);
        }
        try (FleetFolder _ = FleetFolder.open(out, Traces.NAMES, true)) {
            refused(out, Traces.NAMES, true, "another run is writing");
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

        assertThat(Traces.run(Traces.NAMES, out, false, Traces.many(folder, 1)).traces())
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
        Path traces = Traces.many(folder, 40);
        Path out = folder.resolve("out");
        LocalRun.Watcher watcher = new LocalRun.Watcher() {
            private long done;

            @Override
            public void done(Tally tally) {
                done = tally.traces();
            }

            @Override
            public boolean isStopWanted() {
                return done >= 3;
            }
        };
        Tally first = Traces.run(Traces.NAMES, out, false, watcher, traces);

        assertThat(first.traces()).isEqualTo(3);
        assertThat(Traces.run(Traces.NAMES, out, true, traces))
                .extracting(Tally::before, Tally::traces)
                .containsExactly(3L, 37L);
        assertThat(Traces.rows(out, "SELECT count(*), count(DISTINCT trace) FROM {result}"))
                .containsExactly(List.of(40L, 40L));
    }

    @Test
    void aRunThatFoundNothingLeavesTheFolderToTheNext() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path out = folder.resolve("out");

        assertThat(Traces.run(Traces.NAMES, out, false, empty)).isEqualTo(Tally.NOTHING);
        assertThat(Traces.run(Traces.sql("SELECT 1 AS one"), out, false, Traces.many(folder, 1))
                        .traces())
                .isEqualTo(1);
    }
}
