package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandRun;
import dev.unjank.cli.ContendedProgram;
import dev.unjank.cli.PseudoTerminal;
import dev.unjank.cli.Unjank;
import dev.unjank.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The command on a contended program in a virtual machine of its own. It is there without root, too. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "attaching to a process needs Linux here")
class WatchCommandTest {
    private static final String ENTER = "\033[?1049h\033[?25l";
    private static final String LEAVE = "\033[?25h\033[?1049l";
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Process target;
    private String pid;
    private Set<Path> before;

    @BeforeEach
    void start() throws IOException {
        target = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+EnableDynamicAgentLoading",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContendedProgram.class.getName())
                .start();
        BufferedReader says = target.inputReader(StandardCharsets.UTF_8);
        assertThat(says.readLine()).isEqualTo("ready");
        pid = Long.toString(target.pid());
        before = folders();
    }

    @AfterEach
    void stop() {
        target.destroyForcibly();
    }

    @Test
    void withoutATerminalEachWaitIsALine() throws Exception {
        FutureTask<Integer> watching = watch(false, Map.of(), "--pid", pid, "--min-ms", "60", "--thread", "the ui");

        awaitOutput("the ui by the worker");
        awaitOutput("SLEEPING_OWNER"); // of a wait on a busy machine the doctor may say another thing
        target.getOutputStream().close(); // ends it

        assertThat(watching.get()).as(this::all).isZero();
        assertThat(text(err)).contains("lock owners").contains("the process has ended.");
        assertThat(text(out).lines().toList())
                .allSatisfy(
                        line -> assertThat(line)
                                .matches(
                                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3} +\\d+\\.\\d{3} m?s  [A-Z_]+.*  the ui.*"));
        assertThat(text(out)).contains("SLEEPING_OWNER").doesNotContain("\033");
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void howeverSeldomAScreenIsDrawnNothingIsDroppedBeforeItIsLookedAt() throws Exception {
        FutureTask<Integer> watching = watch(false, Map.of(), "--pid", pid, "--interval", "1h");

        awaitOutput("the ui by the worker");
        target.getOutputStream().close();

        assertThat(watching.get()).as(this::all).isZero();
    }

    @Test
    void aScreenIsDrawnAndGivenBack() throws Exception {
        FutureTask<Integer> watching =
                watch(true, Map.of("COLUMNS", "90", "NO_COLOR", "1"), "--pid", pid, "--interval", "200ms");

        awaitOutput("the ui waits for the worker");
        target.getOutputStream().close();

        assertThat(watching.get()).as(this::all).isZero();
        String drawn = text(out);
        assertThat(drawn).startsWith(ENTER).containsOnlyOnce(LEAVE).contains("Longest waits of the last minute");
        String screens = drawn.substring(ENTER.length(), drawn.indexOf(LEAVE));
        assertThat(screens.replace("\033[H", "\n")
                        .replaceAll("\033\\[[KJ]", "")
                        .lines()
                        .toList())
                .allSatisfy(line -> assertThat(line).doesNotContain("\033").hasSizeLessThanOrEqualTo(90));
        assertThat(drawn.substring(drawn.indexOf(LEAVE)))
                .contains("Watched " + pid)
                .contains("the process has ended.");
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void atARealTerminalAPersonLooksOnAndLeavesWithQ() throws Exception {
        try (PseudoTerminal terminal =
                PseudoTerminal.run(Map.of("NO_COLOR", "1"), "watch", "--pid", pid, "--interval", "200ms")) {
            terminal.see("unjank watch " + pid);
            terminal.see("the ui waits for the worker");
            terminal.see("Latest incidents");
            terminal.press("q");
            terminal.see("Watched " + pid);
            terminal.see("ended by the user.");

            assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
            assertThat(terminal.shown()).contains(ENTER).containsOnlyOnce(LEAVE);
        }
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void atARealTerminalCtrlCGivesTheScreenBack() throws Exception {
        try (PseudoTerminal terminal = PseudoTerminal.run(Map.of("NO_COLOR", "1"), "watch", "--pid", pid)) {
            terminal.see("unjank watch " + pid);
            terminal.see("Threads");
            terminal.press(PseudoTerminal.CTRL_C);
            terminal.see("interrupted.");

            assertThat(terminal.exitCode()).as(terminal.shown()).isEqualTo(130);
            assertThat(terminal.shown()).containsOnlyOnce(LEAVE);
        }
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void aTimeEndsIt() throws Exception {
        FutureTask<Integer> watching = watch(false, Map.of(), "--pid", pid, "--duration", "300ms");

        assertThat(watching.get()).as(this::all).isZero();
        assertThat(text(err)).contains("the duration has elapsed.");
        assertThat(folders()).isEqualTo(before);
    }

    @Test
    void aThreadThatIsNotThereIsReported() throws Exception {
        FutureTask<Integer> watching =
                watch(false, Map.of(), "--pid", pid, "--duration", "300ms", "--thread", "the UI");

        assertThat(watching.get()).as(this::all).isZero();
        assertThat(text(err).lines().filter(line -> line.startsWith("unjank watch: ")))
                .as(this::all)
                .singleElement()
                .asString()
                .startsWith("unjank watch: process \"" + pid + "\" has no thread \"the UI\"")
                .contains("the ui");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void aThreadThatIsThereIsNoMistake() throws Exception {
        FutureTask<Integer> watching =
                watch(false, Map.of(), "--pid", pid, "--duration", "300ms", "--thread", "the ui");

        assertThat(watching.get()).as(this::all).isZero();
        assertThat(text(err)).doesNotContain("unjank watch: ");
    }

    @Test
    void mistakesAreReported() {
        CommandRun none = CommandRun.of("watch", "--pid", "1999999999");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).isEqualTo("unjank watch: no such process: 1999999999; jcmd lists Java processes\n");

        CommandRun itself = CommandRun.of(
                "watch", "--pid", Long.toString(ProcessHandle.current().pid()));
        assertThat(itself.code()).isEqualTo(2);
        assertThat(itself.err()).contains("is unjank itself");

        CommandRun often = CommandRun.of("watch", "--pid", pid, "--interval", "1ms");
        assertThat(often.code()).isEqualTo(2);
        assertThat(often.err()).contains("--interval").hasLineCount(1);
    }

    private FutureTask<Integer> watch(boolean terminal, Map<String, String> environment, String... options) {
        String[] args = Stream.concat(Stream.of("watch"), Stream.of(options)).toArray(String[]::new);
        FutureTask<Integer> watching =
                new FutureTask<>(() -> Unjank.run(Terminal.of(out, err, terminal, environment), args));
        Thread.ofPlatform().daemon().name("watch").start(watching);
        return watching;
    }

    private void awaitOutput(String wanted) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (!text(out).contains(wanted)) {
            assertThat(System.nanoTime() - end)
                    .as(() -> "there is no '" + wanted + "' in " + all())
                    .isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private String all() {
        return text(out) + "\n" + text(err);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** What a recorder may leave: its own folder, and the one that it shares with its target. */
    private Set<Path> folders() throws IOException {
        try (Stream<Path> files = Files.list(TEMPORARY)) {
            return files.filter(
                            file -> file.getFileName().toString().startsWith("unjank-" + target.pid()) || isOurs(file))
                    .collect(Collectors.toSet());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Other recorders may be at work on this machine. */
    private boolean isOurs(Path file) {
        return file.getFileName()
                .toString()
                .startsWith("unjank-watch-" + ProcessHandle.current().pid() + "-");
    }
}
