package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.command.SourceStatusLines;
import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.text.TerminalText;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Names in traces, names of files and what a user types may hold any character: no command prints one that a terminal
 * obeys.
 */
class HostileNamesTest {
    private static final String HOSTILE = "n" + String.join("-", ArbitraryNames.HOSTILE) + "x";

    /** What a file system takes, and Java's encoder. */
    private static final String FILE_NAME =
            "n\u001b[31m\u0007\n\t\u007f\u0085\u009b\u00ad\u061c\u200e\u2028\u2029\u202e\u2066\ufeff'\"x";

    @TempDir
    private Path folder;

    private Path trace;

    @BeforeEach
    void write() throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(10, HOSTILE);
        SceneThread main = app.mainThread(HOSTILE, 110);
        SceneThread worker = app.thread(11, HOSTILE, 120);
        main.begin(HOSTILE)
                .runs(0, 100)
                .blocksOn(ArtContention.heldBy(worker)
                        .ownerName(HOSTILE)
                        .at("void " + HOSTILE + "()(A.java:1)", HOSTILE));
        main.sleeps(20_000_000).wokenBy(worker).runnable(20_100_000).acquires().runs(0, 21_000_000);
        main.sleepsUninterruptibly(40_000_000, true, HOSTILE)
                .runnable(40_100_000)
                .runs(0, 41_000_000);
        main.end();
        worker.runs(1, 1_000).begin(HOSTILE).sleepsUninterruptibly(3_000_000, true, HOSTILE);
        worker.runnable(5_000_000).end().runs(1, 30_000_000);
        app.frame(HOSTILE, 0, 10_000_000, 45_000_000, 64);
        trace = Files.write(folder.resolve(FILE_NAME), scene.toBytes(WireFormat.PLAIN));
    }

    private static CommandRun check(Object... arguments) {
        List<String> words = new ArrayList<>();
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        CommandRun run = CommandRun.of(words.toArray(String[]::new));
        assertSafe(run.out());
        assertSafe(run.err());
        return run;
    }

    private static void assertSafe(String text) {
        assertThat(text.replace("\n", "").codePoints().filter(c -> !TerminalText.isPrintable(c)))
                .as(text)
                .isEmpty();
    }

    @Test
    void doctor() {
        assertThat(check("doctor", trace).code()).isZero();
        assertThat(check("doctor", trace, "--thread", "all", "--min-ms", "0", "--frames")
                        .out())
                .contains("\\u2028");
        assertThat(check("doctor", trace, "--thread", "y" + HOSTILE).code()).isEqualTo(2);
        assertThat(check("doctor", trace, "--process", "y" + HOSTILE).code()).isEqualTo(2);
        assertThat(check("doctor", trace, "--html", folder.resolve(FILE_NAME + ".html"))
                        .code())
                .isZero();
    }

    @Test
    void query() {
        assertThat(check("query", trace, "SELECT name, name AS \"a\u2028b\" FROM slice; SELECT name FROM thread")
                        .out())
                .contains("\\u2028", "a\\u2028b");
        assertThat(check("query", trace, "SELECT " + HOSTILE + " FROM slice").code())
                .isEqualTo(2);
        assertThat(check("query", trace, "SELECT * FROM \"" + HOSTILE.replace("\"", "") + "\"")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void fleet() {
        Path run = folder.resolve(FILE_NAME.replace("[", "") + ".out"); // a bracket there is a pattern
        CommandRun asked = check("fleet", folder, "--out", run);
        assertThat(asked.code()).as(asked.err()).isZero();
        CommandRun report = check("fleet", "report", run);
        assertThat(report.code()).as(report.err()).isZero();
    }

    @Test
    void convert() {
        CommandRun run = check("convert", trace, "-o", folder.resolve(FILE_NAME + ".pftrace"));
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("\\u2028");
    }

    @Test
    void mistakes() throws IOException {
        Path noTrace = Files.write(folder.resolve(FILE_NAME + ".txt"), HOSTILE.getBytes(StandardCharsets.UTF_8));
        for (String command : List.of("doctor", "query", "fleet", "convert")) {
            assertThat(check(command, noTrace, noTrace).code()).isNotZero();
            assertThat(check("--debug", command, folder.resolve(FILE_NAME + ".none"), "x")
                            .code())
                    .isNotZero();
            check(command, "--" + HOSTILE);
            check(command, HOSTILE);
        }
        check(HOSTILE);
        check("record", HOSTILE);
        check("record", "1", "--out", folder.resolve(FILE_NAME + "/none/" + FILE_NAME));
        check("watch", HOSTILE);
    }

    @Test
    void linesOfARecording() {
        StringWriter text = new StringWriter();
        SourceStatusLines lines = new SourceStatusLines(new PrintWriter(text));
        lines.print(List.of(SourceAvailability.off(HOSTILE, HOSTILE, HOSTILE), SourceAvailability.ended("a", HOSTILE)));
        assertThat(text.toString()).hasLineCount(2);
        assertSafe(text.toString());
    }
}
