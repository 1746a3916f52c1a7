package dev.unjank.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.unjank.fleet.compare.FleetComparison;
import dev.unjank.fleet.folder.FleetDatabase;
import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.folder.OpenTraceCommand;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.fleet.run.FleetTestRuns;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class FleetReportTest {

    @TempDir
    private Path folder;

    /** A run over the example so many times, with some labels. */
    private Path run(String name, int traces) throws IOException {
        for (int i = 0; i < traces; i++) {
            FleetTestRuns.example(folder, name + "-traces/t'" + i + " <b>.pftrace");
        }
        LabelFile labels =
                new LabelFile(Map.of("t'0 <b>.pftrace", new TraceLabels("oriole", "AP4A", "com.example", "7")));
        TraceTask doctor = FleetTestRuns.doctor();
        TraceTask task = TraceTask.ofTheDoctor(Duration.ofMillis(1), null, labels, doctor.limits());
        Files.writeString(folder.resolve(name + "-traces/broken.pftrace"), "no trace");
        Path out = folder.resolve(name);
        try (FleetFolder fleet = FleetFolder.open(out, task, false)) {
            LocalRun.run(task, new Inputs(List.of(folder + "/" + name + "-traces"), null), 2, fleet, _ -> {});
        }
        return out;
    }

    private static ReportTable table(FleetReport report, String title) {
        return report.tables().stream()
                .filter(table -> table.title().startsWith(title))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReportSumsUpWhatTheTracesHave() throws Exception {
        FleetReport report;
        try (FleetDatabase store = FleetDatabase.open(run("a", 3))) {
            report = FleetReport.of(store);
        }

        assertThat(report.headline()).startsWith("3 traces, ").contains("0 partly read, 1 failed.");
        ReportTable verdicts = table(report, "Verdicts");
        assertThat(verdicts.rows()).anySatisfy(row -> {
            assertThat(row.cells().getFirst()).isEqualTo("PRIORITY_INVERSION");
            assertThat(row.cells().get(1)).as("frames").isEqualTo("3");
            assertThat(row.worst())
                    .hasSize(3)
                    .doesNotHaveDuplicates()
                    .allMatch(trace -> trace.contains("/a-traces/t'"));
        });
        assertThat(verdicts.rows().getFirst().share()).isBetween(0.0, 1.0);
        assertThat(table(report, "Share of MessageQueue").rows().getFirst().cells())
                .startsWith("MessageQueue");
        assertThat(table(report, "By device").rows())
                .satisfiesExactly(
                        row -> assertThat(row.cells()).startsWith("oriole", "1"),
                        row -> assertThat(row.cells()).startsWith("(unknown)", "2"));
        assertThat(table(report, "Failures").rows()).hasSize(1);
    }

    @Test
    void rootCausesOfAFolderOfRecordingsAddUp() throws Exception {
        Path recordings = Files.createDirectories(folder.resolve("recordings"));
        Path examples = Path.of(System.getProperty("unjank.root", ".."), "examples", "causes");
        for (String name : List.of("SlowJournal", "ExhaustedPool")) {
            for (int i = 0; i < 2; i++) {
                Files.copy(examples.resolve(name + ".jfr.gz"), recordings.resolve(name + i + ".jfr.gz"));
            }
        }
        TraceTask doctor = FleetTestRuns.doctor();
        TraceTask task = TraceTask.ofTheDoctor(Duration.ofMillis(1), null, LabelFile.EMPTY, doctor.limits());
        Path out = folder.resolve("out");
        try (FleetFolder fleet = FleetFolder.open(out, task, false)) {
            LocalRun.run(task, new Inputs(List.of(recordings.toString()), null), 2, fleet, _ -> {});
        }
        try (FleetDatabase store = FleetDatabase.open(out)) {
            ReportTable causes = table(FleetReport.of(store), "Root causes");
            assertThat(causes.rows().getFirst().cells())
                    .as("the pool, in both of its recordings")
                    .satisfies(cells -> assertThat(cells.getFirst())
                            .contains("resource LinkedBlockingQueue.take", "→ ExhaustedPool.borrow"))
                    .satisfies(cells -> assertThat(cells.get(4)).isEqualTo("2"));
            double[] sums = new double[2];
            causes.rows().forEach(row -> {
                sums[0] += Double.parseDouble(row.cells().get(2).replace(",", ""));
                sums[1] += Double.parseDouble(row.cells().get(3).replace(",", ""));
            });
            @Nullable
            Object[] all =
                    store.all("SELECT count(*), sum(dur) / 1e6 FROM incidents").getFirst();
            assertThat(sums[1]).isEqualTo(((Number) all[0]).doubleValue());
            assertThat(sums[0])
                    .isCloseTo(
                            ((Number) all[1]).doubleValue(),
                            within(0.05 * causes.rows().size()));
            assertThat(store.all("SELECT trace, sum(total_dur) FROM causes GROUP BY trace ORDER BY trace"))
                    .usingRecursiveComparison()
                    .isEqualTo(store.all("SELECT trace, sum(dur) FROM incidents GROUP BY trace ORDER BY trace"));
        }
    }

    @Test
    void thePageHasNoScriptAndNothingOfATraceBecomesMarkup() throws Exception {
        StringWriter page = new StringWriter();
        FleetReport report;
        try (FleetDatabase store = FleetDatabase.open(run("a", 1))) {
            report = FleetReport.of(store);
        }
        FleetHtmlReport.write(report, "./unjank", page);

        assertThat(page.toString())
                .contains("default-src 'none'; style-src 'sha256-")
                .doesNotContain("<script", "style=", "http://", "https://", "<b>")
                .contains("&lt;b&gt;")
                .contains("<code>./unjank doctor '");
        assertThat(report.tables())
                .flatExtracting(ReportTable::rows)
                .allSatisfy(
                        row -> assertThat(row.worst()).as("traces, each once").hasSize(1));
    }

    @Test
    void aTraceIsOpenedWhereverItLies() {
        assertThat(OpenTraceCommand.command("unjank", "/t/a.pftrace")).isEqualTo("unjank doctor /t/a.pftrace");
        assertThat(OpenTraceCommand.command("unjank", "/t/it's.pftrace"))
                .isEqualTo("unjank doctor '/t/it'\\''s.pftrace'");
        assertThat(OpenTraceCommand.command("unjank", "/t/m.zip!/d/a b"))
                .isEqualTo("unzip -p /t/m.zip 'd/a b' | unjank doctor -");
        assertThat(OpenTraceCommand.command("unjank", "/t/m.zip!/a[1]*\\.pftrace"))
                .isEqualTo("unzip -p /t/m.zip 'a\\[1\\]\\*\\\\.pftrace' | unjank doctor -");
        assertThat(OpenTraceCommand.command("unjank", "/t/m.tar!/a[1]"))
                .isEqualTo("tar -xOf /t/m.tar -- 'a[1]' | unjank doctor -");
        assertThat(OpenTraceCommand.command("unjank", "/t/m.tgz!/--to-command=x"))
                .isEqualTo("tar -xOf /t/m.tgz -- --to-command=x | unjank doctor -");
        assertThat(OpenTraceCommand.command("unjank", "/t/odd!/a.zip!/b!/c"))
                .isEqualTo("unzip -p '/t/odd!/a.zip' 'b!/c' | unjank doctor -");
        assertThat(OpenTraceCommand.command("unjank", "/t/a.zip/odd!/b")).isEqualTo("unjank doctor '/t/a.zip/odd!/b'");
        assertThat(OpenTraceCommand.command("unjank", "hdfs://h/t/a"))
                .isEqualTo("hadoop fs -cat hdfs://h/t/a | unjank doctor -");
        assertThat(OpenTraceCommand.command("./unjank", "/t/\n\u202e\u001b['\\"))
                .isEqualTo("./unjank doctor $'/t/\\U0000000a\\U0000202e\\U0000001b[\\'\\\\'");
    }

    @Test
    void aRunOfAnotherVersionIsNotReadAsIfItWereOfThisOne() throws Exception {
        Path run = run("a", 1);
        Path description = run.resolve(FleetFolder.DESCRIPTION);
        for (String other : List.of("{\"format\": 1}", "[", "")) {
            Files.writeString(description, other);

            assertThatExceptionOfType(UnusableTraceException.class)
                    .isThrownBy(() -> FleetDatabase.open(run))
                    .withMessage(run
                            + ": was written by another version of unjank; run the fleet again, into another folder");
        }
    }

    @Test
    void theTextFitsTheTerminal() throws Exception {
        try (FleetDatabase store = FleetDatabase.open(run("a", 1))) {
            String text = FleetTextReport.of(FleetReport.of(store), "unjank", 100);

            assertThat(text).contains("Verdicts", "PRIORITY_INVERSION", "worst: unjank doctor '" + folder);
        }
    }

    @Test
    void aLongNameKeepsItsEndAndAForeignOneSteersNoTerminal() {
        String method = "com.example.progress.impl.CoreProgressManager.updateShouldCheckCanceled";
        FleetReport report = new FleetReport(
                "f",
                "a headline of more words than a line has room for",
                List.of(new ReportTable(
                        "t",
                        "as wide as\u001b[31m a line, and goes on",
                        List.of("held in", "ms"),
                        List.of(
                                new ReportTable.Row(List.of(method, "7"), 1, List.of()),
                                new ReportTable.Row(List.of("a\u001b[31m\u2028b", "8"), 1, List.of())))));

        assertThat(FleetTextReport.of(report, "unjank", 40).lines())
                .containsExactly(
                        "a headline of more words than a line has",
                        "room for",
                        "",
                        "t",
                        "  as wide as\\u001b[31m a line, and goes",
                        "  on",
                        "  held in                             ms",
                        "  com.example\u2026ateShouldCheckCanceled   7",
                        "  a\\u001b[31m\\u2028b                   8");
    }

    @Test
    void twoFleetsAlikeAreNoEvidenceAndFewTracesNeither() throws Exception {
        Path a = run("a", 6);
        Path b = run("b", 6);
        Path small = run("small", 2);
        try (FleetDatabase before = FleetDatabase.open(a);
                FleetDatabase after = FleetDatabase.open(b);
                FleetDatabase few = FleetDatabase.open(small)) {
            FleetComparison alike = FleetComparison.of(before, after);

            assertThat(alike.figures()).noneMatch(FleetComparison.Figure::isEvidence);
            assertThat(alike.figures().getFirst().verdict()).isEqualTo("no evidence: +0.0 % (+0.0 to +0.0)");
            assertThat(alike.figures().getFirst().tracesBefore()).isEqualTo(6);
            assertThat(FleetComparison.of(before, few).figures().getFirst().verdict())
                    .isEqualTo("no evidence: too few traces");
            assertThat(FleetTextReport.of(alike)).contains("main threads waiting for locks, ms/s", "6 / 6");
        }
    }

    /** Also if what failed was asked statements: there are no rows of them either. */
    @Test
    void ofARunThatCouldReadNothingTheReportSaysWhereTheReasonsAre() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.pftrace"), "no trace");
        Path notes = Files.createDirectory(folder.resolve("notes"));
        Files.writeString(notes.resolve("notes"), "no trace either");
        for (TraceTask task : List.of(FleetTestRuns.doctor(), FleetTestRuns.sql("SELECT 1 AS one"))) {
            for (Path input : List.of(broken, notes)) {
                Path out = folder.resolve("out of " + task.questions().size() + input.getFileName());
                FleetTestRuns.run(task, out, false, input);
                try (FleetDatabase store = FleetDatabase.open(out)) {
                    assertThatExceptionOfType(UnusableTraceException.class)
                            .isThrownBy(() -> FleetReport.of(store))
                            .withMessage(out + ": no trace could be read; see unjank fleet query '" + out + "' \"FROM "
                                    + (input.equals(broken) ? "failures" : "skipped") + "\"");
                }
            }
        }
    }

    @Test
    void aFolderWithoutSuchARunIsAMistake() throws Exception {
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> FleetDatabase.open(folder.resolve("nope")).close())
                .withMessageEndingWith("no such folder");
        assertThatExceptionOfType(UnusableTraceException.class)
                .isThrownBy(() -> FleetDatabase.open(folder).close())
                .withMessageEndingWith("not an output folder of unjank fleet");
        Path trace = FleetTestRuns.example(folder, "traces/a.pftrace");
        TraceTask statements = FleetTestRuns.sql("SELECT 1 AS one");
        Path out = folder.resolve("out");
        try (FleetFolder fleet = FleetFolder.open(out, statements, false)) {
            LocalRun.run(statements, new Inputs(List.of(trace.toString()), null), 1, fleet, _ -> {});
        }
        try (FleetDatabase store = FleetDatabase.open(out)) {
            assertThatExceptionOfType(UnusableTraceException.class)
                    .isThrownBy(() -> FleetReport.of(store))
                    .withMessageEndingWith(
                            "was written with fleet -f, so it has no doctor tables; use unjank fleet query");
            assertThatExceptionOfType(UnusableTraceException.class)
                    .isThrownBy(() -> FleetComparison.of(store, store))
                    .withMessageEndingWith(
                            "was written with fleet -f, so it has no doctor tables; use unjank fleet query");
        }
    }
}
