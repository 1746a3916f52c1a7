package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandRun;
import dev.unjank.cli.Unjank;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.scene.LauncherExample;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleCommandTest {

    @TempDir
    Path folder;

    @Test
    void writesTheExampleAndSaysWhere() throws Exception {
        Path file = folder.resolve("my example.pftrace");

        CommandRun run = CommandRun.of("example", "-o", file.toString());

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains(file.toString());
        assertThat(Files.readAllBytes(file)).isEqualTo(LauncherExample.trace());
    }

    @Test
    void aDashIsStandardOutput() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int code = Unjank.run(Terminal.of(out, err, false, Map.of()), "example", "-o", "-");

        assertThat(code).isZero();
        assertThat(err.size()).isZero();
        assertThat(out.toByteArray()).isEqualTo(LauncherExample.trace());
    }

    @Test
    void aPlaceThatCannotBeWrittenIsReportedInOneLine() {
        CommandRun missing =
                CommandRun.of("example", "-o", folder.resolve("none/x.pftrace").toString());
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err())
                .startsWith("unjank example: ")
                .contains("none/x.pftrace: no such directory: ")
                .hasLineCount(1);

        CommandRun directory = CommandRun.of("example", "-o", folder.toString());
        assertThat(directory.code()).isEqualTo(2);
        assertThat(directory.err()).startsWith("unjank example: ").hasLineCount(1);
    }
}
