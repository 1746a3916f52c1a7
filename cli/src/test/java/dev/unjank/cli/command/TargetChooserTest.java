package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.launch.RunningProcesses;
import dev.unjank.record.launch.RunningProcesses.RunningProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetChooserTest {
    @TempDir
    private Path proc;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void processes() throws IOException {
        process(900_001, "java", "/usr/bin/java\0-cp\0x.jar\0com.example.Shop\0");
        process(900_002, "java", "java\0-jar\0/srv/billing.jar\0");
        process(900_003, "java", "java\0-jar\0/srv/other/billing.jar\0");
        process(900_004, "nginx", "nginx: master process\0");
        process(900_005, "java", "java\0Stutter.java\0");
        process(ProcessHandle.current().pid(), "java", "java\0dev.unjank.cli.Unjank\0");
        process(900_006, "java", "java\0dev.unjank.record.helper.HelperMain\0");
    }

    private void process(long pid, String comm, String commandLine) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                folder.resolve("status"),
                "Name:\t" + comm + "\nTgid:\t" + pid + "\nPPid:\t1\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n");
        Files.writeString(folder.resolve("comm"), comm + "\n");
        Files.writeString(folder.resolve("cmdline"), commandLine);
    }

    /** A pipe without a writer stands for a command line on a FUSE file system. */
    private void blocked(long pid, int user) throws Exception {
        process(pid, "java", "");
        Path folder = proc.resolve(Long.toString(pid));
        Path status = folder.resolve("status");
        Files.writeString(
                status, Files.readString(status).replace("Uid:\t0\t0\t0\t0", "Uid:" + ("\t" + user).repeat(4)));
        Files.delete(folder.resolve("cmdline"));
        Process mkfifo = new ProcessBuilder("mkfifo", folder.resolve("cmdline").toString()).start();
        assumeTrue(mkfifo.waitFor() == 0, "there is no mkfifo here");
    }

    private TargetChooser chooser() {
        Terminal terminal = Terminal.of(new ByteArrayOutputStream(), err, false, Map.of());
        return new TargetChooser(terminal, new RunningProcesses(proc), InputStream.nullInputStream());
    }

    private String shown() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "900001, 900001", // a number is a pid, also of a process that does not exist
        "77, 77",
        "com.example.Shop, 900001",
        "Shop, 900001",
        "Stutter, 900005",
        "Stutter.java, 900005",
        "nginx, 900004",
    })
    void aProcessIsFoundByWhatItIsCalled(String wanted, int pid) throws IOException {
        assertThat(chooser().choose(wanted)).isEqualTo(pid);
        assertThat(shown()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"billing", "billing.jar"})
    void anAmbiguousNameIsRefusedWithTheProcessesThatHaveIt(String name) {
        assertThatThrownBy(() -> chooser().choose(name))
                .isInstanceOf(UserError.class)
                .hasMessage("2 processes are named '" + name + "'; give the PID");
        assertThat(shown())
                .contains(" 900002  billing.jar", " 900003  billing.jar")
                .doesNotContain("Shop");
    }

    /** Near misses: a part of a name is none. */
    @ParameterizedTest
    @CsvSource({"hop", "com.example", "ngin", "Shop.main"})
    void aNameThatNoProcessHasIsRefusedWithTheJvms(String name) {
        assertThatThrownBy(() -> chooser().choose(name))
                .isInstanceOf(UserError.class)
                .hasMessage("no process is named '" + name + "'; ps -e lists all processes");
        assertThat(shown()).contains("PID", "MAIN CLASS", "USER", "UPTIME", "com.example.Shop", "Stutter.java");
    }

    @Test
    void withoutATerminalTheJvmsAreListed() {
        assertThatThrownBy(() -> chooser().choose(null))
                .isInstanceOf(UserError.class)
                .hasMessage("no process is given; give a PID, main class or process name");
        assertThat(shown().lines())
                .as("neither this process nor a recorder's helper")
                .hasSize(1 + 4)
                .noneMatch(line -> line.contains("unjank") || line.contains("nginx"));
    }

    @Test
    void usersWhoseCommandLinesBlockAreNamed() throws Exception {
        blocked(900_007, 12345);
        blocked(900_008, 12345);
        blocked(900_009, 12346);

        assertThat(chooser().choose("Shop")).isEqualTo(900_001);
        assertThat(shown()).hasLineCount(1).contains("JVMs of these users may be missing: 12345, 12346;");
    }

    @Test
    void zeroIsNoProcess() {
        assertThatThrownBy(() -> chooser().choose("0"))
                .hasMessage("'0' is no process id; without one, the running JVMs are listed");
        assertThatThrownBy(() -> chooser().choose("99999999999"))
                .hasMessageStartingWith("'99999999999' is no process id");
    }

    /** Names of other users' processes may hold anything. */
    @Test
    void theTableIsPrintable() {
        String table =
                TargetChooser.table(List.of(new RunningProcess(7, "evil\033[2J", "mallory", Duration.ofMinutes(133))));

        assertThat(table).doesNotContain("\033").endsWith("  2 h 13 min").hasLineCount(2);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0 s", "59, 59 s", "60, 1 min", "3600, 1 h 0 min", "90000, 1 d 1 h"})
    void uptimesAreShort(long seconds, String text) {
        assertThat(RunningProcesses.text(Duration.ofSeconds(seconds))).isEqualTo(text);
    }
}
