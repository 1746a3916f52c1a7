package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandRun;
import dev.unjank.scene.LauncherExample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryCommandTest {

    @TempDir
    Path folder;

    private Path example;

    @BeforeEach
    void writeExample() throws Exception {
        example = Files.write(folder.resolve("launcher.pftrace"), LauncherExample.trace());
    }

    private CommandRun query(String... args) {
        List<String> all = new ArrayList<>(List.of("query", example.toString()));
        all.addAll(List.of(args));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private CommandRun shell(String input, String... args) {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            return query(args);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void answersInTheFormatThatIsAskedFor() {
        String sql = "SELECT 1 AS a, 'x' AS b";

        assertThat(query(sql)).isEqualTo(new CommandRun(0, "a  b\n─  ─\n1  x\n", ""));
        assertThat(query(sql, "--format", "csv").out()).isEqualTo("\"a\",\"b\"\n1,\"x\"\n");
        assertThat(query(sql, "--format", "json").out()).isEqualTo("[\n{\"a\":1,\"b\":\"x\"}\n]\n");
    }

    @Test
    void anEmptyFileIsATraceWithoutRows() throws Exception {
        Path empty = Files.write(folder.resolve("empty.pftrace"), new byte[0]);
        String sql = "SELECT count(*) AS n FROM slice";

        CommandRun run = CommandRun.of("query", empty.toString(), sql, "--format", "csv");

        assertThat(run).isEqualTo(new CommandRun(0, "\"n\"\n0\n", "warning: " + empty + ": empty file\n"));
        assertThat(CommandRun.of("doctor", empty.toString()))
                .isEqualTo(new CommandRun(2, "", "unjank doctor: " + empty + ": empty file; record it again\n"));
    }

    @Test
    void statementsMayComeFromAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("q.sql"), "SELECT 1 AS a;\nSELECT 2 AS b;\n");

        assertThat(query("-f", file.toString(), "--format", "csv").out()).isEqualTo("\"a\"\n1\n\n\"b\"\n2\n");
    }

    @Test
    void statementsMayBeginWithAComment() {
        assertThat(query("-- of one\nSELECT 1 AS a", "--format", "csv").out()).isEqualTo("\"a\"\n1\n");
        assertThat(query("--of one\nSELECT 1 AS a", "--format", "csv").out()).isEqualTo("\"a\"\n1\n");
        assertThat(query("-- of one\nSELECT nothing").err()).startsWith("unjank query: line 2, column 8: ");
        assertThat(query("--formt csv", "SELECT 1").err()).contains("unknown option '--formt csv'");
    }

    @Test
    void statementsAreText() throws Exception {
        Path file = Files.write(folder.resolve("q.sql"), new byte[] {'S', (byte) 0xe9, 'L'});

        assertThat(query("-f", file.toString()))
                .isEqualTo(new CommandRun(
                        2, "", "unjank query: " + file + ": not UTF-8 text (expected a file with SQL)\n"));
    }

    @Test
    void severalTracesAreReadAsOne() throws Exception {
        Path other = folder.resolve("other trace.pftrace");
        Files.write(other, new byte[] {0x0a, 0}); // another file: with an empty packet first
        Files.write(other, Files.readAllBytes(example), StandardOpenOption.APPEND);
        String threads = "SELECT count(*) AS n FROM thread";

        CommandRun run = query(other.toString(), threads, "--format", "csv");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo(query(threads, "--format", "csv").out());
        assertThat(query(example.toString(), threads).err()).contains("the same trace twice");
        assertThat(query(folder.resolve("nowhere").toString(), threads).err()).contains("no such file");
        assertThat(query(threads, other.toString()).err()).contains("traces must precede the statements");
        assertThat(query(other.toString(), threads, "--format", "csv", "-o", other.toString())
                        .code())
                .isEqualTo(2);
    }

    @Test
    void filesAreTouchedWhereThatIsAllowed() throws Exception {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        String copy = "COPY (SELECT 1 AS a) TO 'a.csv'";

        assertThat(query(copy).err()).contains("line 1, column 25: ").contains("--allow-files DIR");
        assertThat(query(copy, "--allow-files", shared.toString())).isEqualTo(new CommandRun(0, "", ""));
        assertThat(shared.resolve("a.csv")).hasContent("\"a\"\n\"1\"");
        assertThat(query("SELECT a FROM read_csv('a.csv')", "--format", "csv", "--allow-files", shared.toString())
                        .out())
                .isEqualTo("\"a\"\n1\n");
        assertThat(query("SELECT 1", "--allow-files", shared.resolve("nowhere").toString())
                        .err())
                .contains("no such directory");
    }

    @Test
    void aTraceIsNotOverwrittenByResults() throws Exception {
        byte[] before = Files.readAllBytes(example);

        assertThat(query("SELECT 1", "-o", example.toString()).code()).isEqualTo(2);
        assertThat(Files.readAllBytes(example)).isEqualTo(before);
    }

    @Test
    void resultsMayGoToAFile() throws Exception {
        Path csv = folder.resolve("out.csv");
        Path parquet = folder.resolve("out.parquet");

        assertThat(query("SELECT 1 AS a", "--format", "csv", "-o", csv.toString()))
                .isEqualTo(new CommandRun(0, "", ""));
        assertThat(Files.readString(csv)).isEqualTo("\"a\"\n1\n");
        assertThat(query("SELECT * FROM thread", "--format", "parquet", "-o", parquet.toString()))
                .isEqualTo(new CommandRun(0, "", ""));
        assertThat(Files.readString(parquet, StandardCharsets.ISO_8859_1))
                .startsWith("PAR1")
                .endsWith("PAR1");
    }

    /** The extension of the output file selects the format, unless --format is given. */
    @Test
    void theEndingOfAFileChoosesTheFormat() throws Exception {
        assertThat(written("out.CSV")).isEqualTo("\"a\"\n1\n");
        assertThat(written("out.json")).isEqualTo("[\n{\"a\":1}\n]\n");
        assertThat(written("out.parquet")).startsWith("PAR1").endsWith("PAR1");
        assertThat(written("out.txt")).startsWith("a\n");
        assertThat(written("csv")).startsWith("a\n");
        assertThat(written("again.csv", "--format", "json")).isEqualTo("[\n{\"a\":1}\n]\n");
    }

    private String written(String name, String... more) throws IOException {
        Path file = folder.resolve(name);
        List<String> arguments = new ArrayList<>(List.of("SELECT 1 AS a", "-o", file.toString()));
        arguments.addAll(List.of(more));
        assertThat(query(arguments.toArray(String[]::new))).isEqualTo(new CommandRun(0, "", ""));
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    @Test
    void onATerminalATableFits() {
        CommandRun run = CommandRun.on(
                true,
                Map.of("COLUMNS", "60", "TERM", "dumb"),
                "query",
                example.toString(),
                "SELECT ts, name || ' and so on, far beyond what fits' AS name FROM slice LIMIT 5");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("…");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 60);
    }

    @Test
    void whatStandsBeforeAMistakeIsAnswered() {
        CommandRun run = query("SELECT 1 AS a; SELECT 2 AS b; SELECT nope FROM slice", "--format", "csv");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEqualTo("\"a\"\n1\n\n\"b\"\n2\n");
        assertThat(run.err()).isEqualTo("unjank query: line 1, column 38: no such column: nope\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT nonsense FROM slice",
                "SELECT * FROM nowhere",
                "SELEC 1",
                "SELECT 'never ended",
                "SELECT * FROM read_csv('/etc/passwd')",
                "COPY slice TO '/tmp/unjank-must-not-be-written'",
                "SET memory_limit = '1TB'"
            })
    void aMistakeIsOneLineWithItsPlace(String sql) {
        CommandRun run = query(sql);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("unjank query: line 1, column ").hasLineCount(1);
        assertThat(Path.of("/tmp/unjank-must-not-be-written")).doesNotExist();
    }

    @Test
    void afterAMistakeTheFileHasWhatCameBeforeItAsTheHelpSays() throws IOException {
        Path csv = folder.resolve("half.csv");
        CommandRun run = query("SELECT 1 AS a; SELECT nowhere; SELECT 2 AS b", "-o", csv.toString());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("no such column: nowhere");
        assertThat(Files.readString(csv)).isEqualTo("\"a\"\n1\n");
        assertThat(CommandRun.of("query", "--help").out().replaceAll("\\s+", " "))
                .contains("If a statement fails, FILE contains the results of the earlier statements.");
    }

    @Test
    void mistakesOnTheCommandLine() {
        assertThat(query("SELECT 1", "-f", "x.sql").err())
                .isEqualTo("unjank query: give statements or -f FILE, not both\n");
        assertThat(query("SELECT 1", "--format", "parquet").err()).contains("-o FILE");
        assertThat(query("-o", folder.resolve("x.csv").toString()).err())
                .startsWith("unjank query: -o needs statements on the command line or -f FILE")
                .hasLineCount(1);
        assertThat(query("SELECT 1", "--format", "xml").err()).contains("must be table, csv, json or parquet");
        assertThat(query("-f", folder.toString()).err())
                .isEqualTo("unjank query: " + folder + ": is a directory (expected a file with SQL)\n");
        assertThat(query("-f", folder.resolve("nowhere.sql").toString()).err()).contains("no such file");
        assertThat(CommandRun.of("query", folder.resolve("nowhere").toString(), "SELECT 1")
                        .code())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-3", "0", "0.0001", "abc", "1e3", "1000001", ""})
    void aTimeLimitIsANumberOfSeconds(String seconds) {
        CommandRun run = query("SELECT 1", "--timeout=" + seconds);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith(
                        "unjank query: --timeout must be a number of seconds such as 10 or 0.5, more than 0 and at most"
                                + " 1000000, not '" + seconds + "';");
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "parquet"})
    void aResultThatCannotBeWrittenIsReportedWithItsNameAndWhy(String format) {
        assertThat(query("SELECT 1", "--format", format, "-o", folder.toString()))
                .isEqualTo(new CommandRun(
                        2, "", "unjank query: cannot write " + folder + ": is a directory (expected a file)\n"));
        assertThat(query("SELECT 1", "--format", format, "-o", folder + "/nowhere/x"))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "unjank query: cannot write " + folder + "/nowhere/x: no such directory: " + folder
                                + "/nowhere; create it first\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "parquet"})
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/full and /proc")
    void andSoIsAFullDiskAndAFolderThatTakesNoFiles(String format) {
        CommandRun full = query("SELECT 1", "--format", format, "-o", "/dev/full");
        assertThat(full.code()).isEqualTo(2);
        assertThat(full.err())
                .startsWith("unjank query: cannot write /dev/full: ")
                .endsWith("No space left on device\n")
                .hasLineCount(1);
        CommandRun refused = query("SELECT 1", "--format", format, "-o", "/proc/x");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .startsWith("unjank query: cannot write /proc/x: ")
                .doesNotContain(".part")
                .hasLineCount(1);
    }

    private static final String ENDLESS = """
                SELECT count(*) FROM slice a, slice b, slice c, slice d, slice e, slice f, slice g, slice h, slice i, slice j,
                    slice k, slice l, slice m
                WHERE (a.dur + b.dur + c.dur + d.dur + e.dur + f.dur + g.dur + h.dur + i.dur + j.dur + k.dur + l.dur + m.dur) % 7 = 8
                """;

    /** Wherever they come from. */
    @Test
    void statementsThatNeverEndAreStopped() {
        CommandRun stopped = new CommandRun(3, "", "unjank query: stopped after the time limit of 50 ms\n");
        assertThat(query(ENDLESS, "--timeout", "0.05")).isEqualTo(stopped);
        assertThat(shell(ENDLESS, "--timeout", "0.05")).isEqualTo(stopped);
    }

    @Test
    void theShellRunsStatementsAndCommands() {
        CommandRun run = shell(
                "SELECT 1 AS a;\n\nSELECT ';' AS b,\n  2 AS c\n;\n.tables thread_s\n.schema trace_bounds\n.quit\nSELECT 3;\n");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("""
                        a
                        ─
                        1

                        b  c
                        ─  ─
                        ;  2
                        thread_slice
                        thread_state
                        trace_bounds (
                          start_ts INTEGER,
                          end_ts INTEGER
                        )
                        """);
    }

    @Test
    void theLastStatementOfAShellNeedsNoSemicolon() {
        assertThat(shell("SELECT 1 AS a").out()).isEqualTo("a\n─\n1\n");
    }

    @Test
    void whereNoPersonSitsTheShellEndsWithTheFirstMistake() {
        CommandRun run = shell("SELECT nonsense;\nSELECT 1;\n");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("nonsense").hasLineCount(1);
        assertThat(shell(".nonsense\n").err()).contains("no such command: .nonsense");
        assertThat(shell(".schema nonsense\n").err()).contains("no such table: nonsense");
    }
}
