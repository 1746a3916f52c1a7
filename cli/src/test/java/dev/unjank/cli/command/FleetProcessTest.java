package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandProcessTest;
import dev.unjank.cli.CommandRun;
import dev.unjank.cli.UnixSignals;
import dev.unjank.scene.LauncherExample;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A fleet's run that is ended from outside, halfway. */
class FleetProcessTest {
    private static final int TRACES = 30;

    /** So many rows of each trace that a part is five traces. */
    private static final String ROWS =
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 20000) SELECT n FROM t";

    private static final Pattern BEFORE = Pattern.compile("^([0-9]+) traces were already processed[.]");

    @TempDir
    private Path folder;

    private Process start(List<String> arguments) throws Exception {
        return new ProcessBuilder(UnixSignals.heard(
                        CommandProcessTest.command(List.of("--enable-native-access=ALL-UNNAMED"), arguments)))
                .redirectOutput(Redirect.DISCARD)
                .start();
    }

    /** What a run is asked for in the engine's SQL. */
    private static String asked(Path run, String sql) {
        CommandRun answer = CommandRun.of("fleet", "query", run.toString(), sql, "--format", "csv");
        assertThat(answer.err()).isEmpty();
        return answer.out().lines().skip(1).reduce("", (all, line) -> all + line);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs the signals of Unix")
    void aKilledRunGoesOnWithoutRepeatingAnything() throws Exception {
        Path traces = Files.createDirectory(folder.resolve("traces"));
        for (int i = 0; i < TRACES; i++) {
            Files.write(traces.resolve("t" + i + ".pftrace"), LauncherExample.trace());
        }
        Path statements = Files.writeString(folder.resolve("rows.sql"), ROWS);
        Path out = folder.resolve("out");
        List<String> arguments = List.of(
                "fleet", traces.toString(), "-f", statements.toString(), "--out", out.toString(), "--threads", "1");
        Process process = start(arguments);
        try {
            while (process.isAlive() && !Files.exists(out.resolve("part=000001"))) {
                Thread.onSpinWait();
            }
        } finally {
            process.destroyForcibly(); // as kill -9 does
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(process.exitValue()).as("killed, and not at its end").isEqualTo(128 + 9);
        int before = Integer.parseInt(asked(out, "SELECT count(*) FROM traces"));
        assertThat(before).isBetween(1, TRACES - 1);

        List<String> again = new ArrayList<>(arguments);
        again.add("--resume");
        CommandRun rest = CommandRun.of(again.toArray(String[]::new));

        assertThat(rest.err()).isEmpty();
        Matcher line = BEFORE.matcher(rest.out());
        assertThat(line.find()).as(rest.out()).isTrue();
        assertThat(line.group(1)).isEqualTo(Integer.toString(before));
        assertThat(rest.out()).contains("Processed " + (TRACES - before) + " traces, 0 failed");
        assertThat(asked(out, "SELECT count(*), count(DISTINCT trace) FROM traces"))
                .isEqualTo(TRACES + "," + TRACES);
        assertThat(asked(out, "SELECT count(*), count(DISTINCT (trace, n)) FROM result"))
                .isEqualTo(20_000 * TRACES + "," + 20_000 * TRACES);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs the signals of Unix")
    void controlCEndsARunInGoodOrder() throws Exception {
        Path archive = folder.resolve("traces.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (int i = 0; i < 20 * TRACES; i++) {
                zip.putNextEntry(new ZipEntry("t" + i));
                zip.write(LauncherExample.trace());
            }
        }
        Path out = folder.resolve("out");
        Path unpacked = out.resolve(".traces");
        Process process = start(List.of("fleet", archive.toString(), "--out", out.toString(), "--threads", "1"));
        while (process.isAlive() && !Files.isDirectory(unpacked)) {
            Thread.onSpinWait();
        }
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();

        assertThat(CommandProcessTest.errors(process))
                .isIn(
                        "Interrupted. Finished traces are kept; continue with --resume.\n",
                        "unjank fleet: interrupted before the first trace was processed\n");
        assertThat(process.exitValue()).isEqualTo(130);
        try (Stream<Path> hidden = Files.list(out)) {
            assertThat(hidden.map(path -> path.getFileName().toString()).filter(name -> name.startsWith(".")))
                    .containsExactly(".lock");
        }
    }
}
