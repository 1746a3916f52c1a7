package dev.unjank.fleet.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.scene.LauncherExample;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The program that is given to Spark, by what it says. */
class SparkFleetTest {

    @TempDir
    private Path folder;

    private Path trace;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void local() throws Exception {
        System.setProperty("spark.master", "local[1]");
        System.setProperty("spark.ui.enabled", "false");
        trace = Files.write(
                Files.createDirectories(folder.resolve("real/dir")).resolveSibling("t.pftrace"),
                LauncherExample.trace());
    }

    @AfterEach
    void asBefore() {
        System.clearProperty("spark.master");
        System.clearProperty("spark.ui.enabled");
    }

    private int run(String... arguments) {
        CommandLine command = SparkFleet.command();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void aMistakeInStatementsNamesTheirFile() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad.sql"), "SELECT durr FROM slice");
        Path slow = Files.writeString(
                folder.resolve("slow.sql"),
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT count(*) FROM n");

        assertThat(run(trace.toString(), "--file", bad.toString(), "--out", folder + "/out"))
                .isEqualTo(2);
        assertThat(run(trace.toString(), "--file", slow.toString(), "--timeout", "0.5", "--out", folder + "/out"))
                .isEqualTo(2);

        assertThat(err.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("unjank fleet: " + bad + ": ")
                                .contains("no such column: durr"),
                        line -> assertThat(line)
                                .isEqualTo("unjank fleet: " + slow + ": stopped after the time limit of 500 ms"));
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** As without Spark: also what is no file has its row, and two dots behind a link are above where it leads. */
    @Test
    void aRunSaysWhatItDidAndWhereTheRowsAre() throws Exception {
        Files.createSymbolicLink(Files.createDirectory(folder.resolve("lnk")).resolve("d"), Path.of("../real/dir"));
        Path odd = Files.createDirectory(folder.resolve("odd"));
        Files.createSymbolicLink(odd.resolve("gone.pftrace"), Path.of("nowhere"));
        Process mkfifo = new ProcessBuilder("mkfifo", odd + "/pipe.pftrace").start();
        assumeTrue(mkfifo.waitFor() == 0, "there is no mkfifo here");

        int code = run(
                folder + "/lnk/d/../t.pftrace",
                "file:" + folder + "/lnk/d/../t.*",
                odd.toString(),
                "--out",
                folder + "/out");

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString())
                .contains("Processed 3 traces, 2 failed")
                .endsWith("Wrote " + folder + "/out: one folder part=N per part, with a Parquet file per table.\n");
        assertThat(SparkTestRuns.rows(folder.resolve("out")).get("traces"))
                .singleElement()
                .asString()
                .contains(trace.toRealPath().toString());
        assertThat(SparkTestRuns.rows(folder.resolve("out")).get("failures"))
                .satisfiesExactly(
                        row -> assertThat(row).contains("/odd/gone.pftrace, is a broken link, "),
                        row -> assertThat(row)
                                .contains("/odd/pipe.pftrace, is a pipe, a socket or a device, not a file, "));
    }
}
