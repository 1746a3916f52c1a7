package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandRun;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.scene.LauncherExample;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetCommandTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void traces() throws Exception {
        Files.createDirectory(folder.resolve("traces"));
        Files.write(folder.resolve("traces/a.pftrace"), LauncherExample.trace());
        Files.write(folder.resolve("traces/b.pftrace"), LauncherExample.trace());
    }

    private CommandRun run(String arguments) {
        return CommandRun.of(arguments.replace("~", folder.toString()).split(" ", -1));
    }

    @Test
    void aRunSaysWhatItDidAndWhereTheRowsAre() {
        CommandRun run = run("fleet ~/traces --out ~/out");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("Processed 2 traces, 0 failed").contains(folder + "/out");
        assertThat(folder.resolve("out/part=000000/incidents.parquet")).exists();

        CommandRun again = run("fleet ~/traces --out ~/out --resume");

        assertThat(again.code()).isZero();
        assertThat(again.out()).contains("2 traces were already processed").contains("Processed 0 traces");
    }

    @Test
    void aBrokenTraceIsNoReasonToFailUnlessAllAre() throws Exception {
        Files.writeString(folder.resolve("traces/c.pftrace"), "no trace");

        assertThat(run("fleet ~/traces --out ~/out").code()).isZero();
        assertThat(run("fleet ~/traces/c.pftrace --out ~/other").code()).isEqualTo(2);
    }

    @Test
    void whatLiesBesideTracesAndIsNoneIsSkippedUnlessItIsNamed() throws Exception {
        Files.writeString(folder.resolve("traces/Main.java"), "final class Main {}");

        CommandRun run = run("fleet ~/traces --out ~/out");

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Skipped 1 file that is not a trace: see table skipped.")
                .contains("Processed 2 traces, 0 failed");
        assertThat(run("fleet ~/traces/Main.java --out ~/other").out()).contains("Processed 1 trace, 1 failed");
    }

    @Test
    void namesMayComeFromAList() throws Exception {
        Files.move(folder.resolve("traces/b.pftrace"), folder.resolve("traces/b c.pftrace"));
        String list = String.join("\r\n", "~/traces/a.pftrace", "", "~/traces/b c.pftrace", "  ", "~/nope", "~/a*")
                .replace("~", folder.toString());
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)));

            assertThat(run("fleet - --out ~/out").out()).contains("Processed 4 traces, 2 failed");
        } finally {
            System.setIn(before);
        }
        assertThat(CommandRun.of(
                                "fleet",
                                "query",
                                folder + "/out",
                                "SELECT trace FROM traces UNION ALL SELECT file || ' ' || reason FROM failures ORDER BY ALL",
                                "--format",
                                "csv")
                        .out()
                        .replace(folder.toString(), "~"))
                .isEqualTo("""
                        "trace"
                        "~/a* no such file"
                        "~/nope no such file"
                        "~/traces/a.pftrace"
                        "~/traces/b c.pftrace"
                        """);
    }

    @Test
    void statementsComeFromAFile() throws Exception {
        Files.writeString(folder.resolve("q.sql"), "SELECT name, dur FROM slice ORDER BY dur DESC LIMIT 3");

        CommandRun run = run("fleet ~/traces -f ~/q.sql --out ~/out --threads 1");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("8 rows"); // three of each, and one that says that it was read
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "fleet                                        # unjank fleet: missing PATH (traces, folders or archives)",
                "fleet ~/traces                               # unjank fleet: missing --out DIR, the folder for the rows",
                "fleet ~/nope --out ~/out                     # unjank fleet: ~/nope: no such file or folder, and no file matches it",
                "fleet ~/traces --out ~/traces                # unjank fleet: ~/traces: is neither empty nor an output folder of unjank fleet; choose another one",
                "fleet ~/traces --out ~/traces/a.pftrace      # unjank fleet: ~/traces/a.pftrace: is not a folder; choose another one",
                "fleet ~/traces -f ~ --out ~/out              # unjank fleet: ~: is a directory (expected a file with SQL)",
                "fleet ~/traces --doctor -f ~/x --out ~/out   # unjank fleet: give --doctor or -f FILE, not both",
                "fleet ~/traces --threads 0 --out ~/out       # unjank fleet: --threads must be 1 to 1024, not '0'; see unjank fleet --help",
                "fleet ~/traces --master spork://x --out ~/o  # unjank fleet: --master must be local[*], local[N],"
                        + " spark://HOST:PORT, yarn or k8s://URL, not 'spork://x'",
                "fleet - --master local --out ~/o             # unjank fleet: --master cannot be combined with - (a list on"
                        + " standard input) or --threads",
                "fleet ~/traces --labels ~/nope.csv --out ~/o # unjank fleet: ~/nope.csv: no such file or directory",
            })
    void aMistakeIsOneLine(String arguments, String line) {
        CommandRun run = run(arguments.strip());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith(line.strip().replace("~", folder.toString()))
                .hasLineCount(1);
    }

    @Test
    void aMistakeInStatementsIsReportedBeforeAnyTraceIsRead() throws Exception {
        Files.writeString(folder.resolve("q.sql"), "SELECT durr FROM slice");

        for (String where : new String[] {"", " --master local"}) {
            CommandRun run = run("fleet ~/traces -f ~/q.sql --out ~/out" + where);

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .startsWith("unjank fleet: " + folder + "/q.sql: ")
                    .contains("no such column: durr")
                    .hasLineCount(1);
            assertThat(folder.resolve("out")).doesNotExist();
        }
    }

    @Test
    void statementsThatTakeLongerThanATraceMayAreReportedBeforeAnyTraceIsRead() throws Exception {
        Files.writeString(
                folder.resolve("slow.sql"),
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT count(*) FROM n");

        for (String where : new String[] {"", " --master local"}) {
            CommandRun run = run("fleet ~/traces -f ~/slow.sql --out ~/out --timeout 0.5" + where);

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .isEqualTo("unjank fleet: " + folder + "/slow.sql: stopped after the time limit of 500 ms\n");
            assertThat(folder.resolve("out")).doesNotExist();
        }
    }

    @Test
    void rowsCanBeAskedAtOnce() throws Exception {
        Files.writeString(folder.resolve("traces/c.pftrace"), "no trace");
        run("fleet ~/traces --out ~/out");
        String out = folder.resolve("out").toString();

        CommandRun run = CommandRun.of(
                "fleet",
                "query",
                out,
                "SELECT (SELECT count(*) FROM traces) AS traces, (SELECT count(*) FROM failures) AS failures, count(*) > 2 AS more"
                        + " FROM incidents",
                "--format",
                "csv");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("\"traces\",\"failures\",\"more\"\n2,1,1\n");
        CommandRun nowhere = run("fleet report ~/out --html ~/nope/report.html");
        assertThat(nowhere.code()).isEqualTo(2);
        assertThat(nowhere.err())
                .startsWith("unjank fleet report: cannot write " + folder + "/nope/report.html: no such directory");
        CommandRun wrong = CommandRun.of("fleet", "query", out, "SELECT durr FROM incidents");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).startsWith("unjank fleet query: ").contains("durr");
        CommandRun elsewhere = CommandRun.of("fleet", "query", out, "FROM read_csv('/etc/passwd')");
        assertThat(elsewhere.code()).isEqualTo(2);
        assertThat(elsewhere.out()).isEmpty();
    }

    @Test
    void ofHowManyTracesTheLabelsAreIsSaid() throws Exception {
        Files.writeString(folder.resolve("one.csv"), "file,app_version\na.pftrace,7\nother.pftrace,8\n");
        Files.writeString(folder.resolve("none.csv"), "file,app_version\nother.pftrace,8\n");

        assertThat(run("fleet ~/traces --labels ~/one.csv --out ~/one").out())
                .contains("1 of 2 traces have labels in " + folder + "/one.csv.");
        assertThat(run("fleet ~/traces --labels ~/one.csv --out ~/one --resume").out())
                .contains("1 of 2 traces have labels in " + folder + "/one.csv.");
        assertThat(run("fleet ~/traces --labels ~/none.csv --out ~/none").err())
                .contains("unjank fleet: no trace has labels in " + folder
                        + "/none.csv: its column \"file\" must contain the traces' paths, or the ends of the paths");
    }

    @Test
    void progressHasARateAndTheTimeLeft() {
        assertThat(FleetProgressLine.line(new RunTotals(1_000, 3, 0, 1, 1, 500, 0), 20, 4_500))
                .isEqualTo("1,500 of 4,500 traces, 50.0/s, 3 failed, 1 min left");
        assertThat(FleetProgressLine.line(new RunTotals(10, 0, 0, 1, 1, 0, 0), 20, 1_000_000))
                .endsWith("555 h 33 min left");
        assertThat(FleetProgressLine.line(new RunTotals(1, 0, 0, 1, 1, 0, 0), 2, -1))
                .isEqualTo("1 traces, 0.5/s, 0 failed");
    }
}
