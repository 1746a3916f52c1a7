package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.cli.CommandRun;
import dev.unjank.cli.ContendedProgram;
import dev.unjank.cli.PseudoTerminal;
import dev.unjank.cli.UnixSignals;
import dev.unjank.cli.Unjank;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code record -- COMMAND} and {@code explain}: programs that are started for their recording. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "programs are held by means of Linux")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartedProgramCommandTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final List<String> CONTENDED =
            List.of(JAVA.toString(), "-cp", System.getProperty("java.class.path"), ContendedProgram.class.getName());

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("recorded.pftrace");
    }

    private static void assumeTracing() {
        int pid = Math.toIntExact(ProcessHandle.current().pid());
        assumeTrue(new KernelSource(pid, false, false).probe().isOn(), "needs root and tracefs");
    }

    /** The command in a process of its own. */
    private Process started(List<String> arguments, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                JAVA.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Unjank.class.getName()));
        command.addAll(arguments);
        command.add("--");
        command.addAll(program);
        return new ProcessBuilder(UnixSignals.heard(command))
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private String text(String stream) throws IOException {
        return Files.readString(folder.resolve(stream));
    }

    private void awaitText(String stream, String text, Process process) throws Exception {
        while (process.isAlive() && !text(stream).contains(text)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** What Ctrl-C does at a terminal: the signal reaches both. */
    private static void interruptBoth(Process recorder) throws Exception {
        List<String> kill = new ArrayList<>(List.of("kill", "-INT", Long.toString(recorder.pid())));
        recorder.children().forEach(child -> kill.add(Long.toString(child.pid())));
        new ProcessBuilder(kill).redirectError(Redirect.DISCARD).start().waitFor();
    }

    private static List<ProcessHandle> programs(Process recorder) {
        return recorder.children().toList();
    }

    @Test
    void aProgramIsRecordedFromItsFirstInstruction() throws Exception {
        assumeTracing();
        Process recorder =
                started(List.of("record", "-o", file().toString()), List.of("sh", "-c", "cat </dev/null; exit 7"));

        assertThat(recorder.waitFor()).as("the program's own").isEqualTo(7);
        assertThat(text("out")).as("only the program's").isEmpty();
        assertThat(text("err")).contains("Wrote " + file()).contains("the process has ended");
        Trace trace = TraceReader.read(file());
        assertThat(trace.warnings()).isEmpty();
        int cat = -1;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            cat = "cat".equals(trace.threads().name(utid)) ? utid : cat;
        }
        assertThat(cat).as("what it does first").isPositive();
    }

    @Test
    void aJvmIsRecordedFromItsMainAndHasOnlyTheProgramsWaits() throws Exception {
        List<String> busy = new ArrayList<>(CONTENDED);
        busy.add("busy");
        Process recorder =
                started(List.of("record", "-o", file().toString(), "--duration", "3s", "--samples", "100"), busy);

        assertThat(recorder.waitFor()).as(text("err")).isZero();
        assertThat(text("out")).contains("ready");
        assertThat(text("err")).contains("on   Flight Recorder: ").doesNotContain("WARNING");
        String report =
                CommandRun.of("doctor", file().toString(), "--min-ms", "20").out();
        assertThat(report).contains("the ui", "the worker");
        Trace trace = TraceReader.read(file());
        assertThat(IntStream.range(0, trace.slices().size()).mapToObj(trace.slices()::name))
                .as("the recorder's own pauses: of its agent none, and of Flight Recorder named as such")
                .noneMatch(name -> name.contains("RedefineClasses") || name.equals("safepoint: unknown operation"))
                .anyMatch(name -> name.startsWith("safepoint: JFRSafepointWrite by JFR Recorder Thread ("));
        assertThat(trace.samples().size()).as("samples of running threads").isPositive();
    }

    @Test
    void ctrlCEndsBoth() throws Exception {
        Process recorder = started(List.of("record", "-o", file().toString()), CONTENDED);
        awaitText("out", "ready", recorder);
        List<ProcessHandle> program = programs(recorder);
        interruptBoth(recorder);

        assertThat(recorder.waitFor()).as(text("err")).isEqualTo(130);
        assertThat(program).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        assertThat(TraceReader.read(file()).warnings()).isEmpty();
        assertThat(text("err")).contains("Wrote " + file());
    }

    /**
     * It is killed after its grace of five seconds. A second signal neither cuts the file nor leaves the program
     * behind.
     */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"SIGTERM twice", "--duration"})
    void aProgramThatIgnoresSignalsEndsWithTheRecording(String way) throws Exception {
        assumeTracing();
        boolean isBySignal = !way.startsWith("--");
        List<String> ignoring =
                List.of("sh", "-c", "trap '' TERM INT HUP; echo ready; while :; do sleep 0.2 || exit; done");
        List<String> record = new ArrayList<>(List.of("record", "-o", file().toString()));
        record.addAll(isBySignal ? List.of() : List.of("--duration", "1s"));
        Process recorder = started(record, ignoring);
        awaitText("out", "ready", recorder);
        List<ProcessHandle> program = programs(recorder);
        if (isBySignal) {
            recorder.toHandle().destroy();
            awaitText("err", "Wrote ", recorder);
            recorder.toHandle().destroy();
        }

        assertThat(recorder.waitFor(120, TimeUnit.SECONDS)).as(text("err")).isTrue();
        assertThat(recorder.exitValue()).as(text("err")).isEqualTo(isBySignal ? 143 : 0);
        assertThat(program).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        assertThat(TraceReader.read(file()).warnings()).isEmpty();
    }

    /** The signal of {@code kill} reaches the recorder alone, at any step of its start. */
    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {0, 200, 400, 800, 1_200, 1_600, 2_400})
    void anInterruptWhileItStartsEndsBoth(int millis) throws Exception {
        Process recorder = started(List.of("record", "-o", file().toString()), CONTENDED);
        TimeUnit.MILLISECONDS.sleep(millis);
        List<ProcessHandle> program = programs(recorder);
        recorder.destroy();

        assertThat(recorder.waitFor(120, TimeUnit.SECONDS)).as(text("err")).isTrue();
        assertThat(recorder.exitValue()).isEqualTo(143);
        assertThat(program).noneMatch(ProcessHandle::isAlive);
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("unjank-hold-" + recorder.pid() + "-"));
        }
    }

    /** The target's threads keep their names, whatever is written to the trace for them. */
    @Test
    void theRecorderDoesNotRenameTheTargetsThreads() throws Exception {
        assumeTracing();
        Process target =
                new ProcessBuilder(CONTENDED).redirectError(Redirect.DISCARD).start();
        try {
            assertThat(target.inputReader().readLine()).isEqualTo("ready");
            List<String> before = names(target.pid());
            CommandRun run = CommandRun.of(
                    "record",
                    "--pid",
                    Long.toString(target.pid()),
                    "-o",
                    file().toString(),
                    "--duration",
                    "1s",
                    "--no-other-names");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(names(target.pid())).containsAll(before);
            assertThat(before).anyMatch(name -> name.startsWith("VM Thread"));
            assertThat(names(ProcessHandle.current().pid())).doesNotContain("another-program");
        } finally {
            target.destroyForcibly();
        }
    }

    private static List<String> names(long pid) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                Path comm = task.resolve("comm");
                if (Files.exists(comm)) {
                    names.add(Files.readString(comm).strip());
                }
            }
        }
        return names;
    }

    @Test
    void explainReportsAndLeavesNothing() throws Exception {
        Process explain = started(List.of("explain", "--for", "3s"), CONTENDED);

        assertThat(explain.waitFor()).as(text("err")).isZero();
        assertThat(text("out")).contains("ready", "the ui", "the worker");
        assertThat(text("err"))
                .contains("Recording " + ContendedProgram.class.getName())
                .contains(" for 3 s");
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("unjank-explain-" + explain.pid() + "-"));
        }
    }

    @Test
    void explainKeepsTheRecordingAndWritesThePage() throws Exception {
        Path page = folder.resolve("page.html");
        Process explain = started(
                List.of("explain", "--for", "2s", "--keep", file().toString(), "--page", page.toString()), CONTENDED);

        assertThat(explain.waitFor()).as(text("err")).isZero();
        assertThat(page).isNotEmptyFile();
        assertThat(TraceReader.read(file()).warnings()).isEmpty();
        assertThat(text("err")).contains("Kept the recording in " + file());
    }

    /** The program's last act, after the recording, is to put a pipe in place of the file. */
    @Test
    void explainDoesNotReadAPipe() throws Exception {
        assumeTracing();
        String replace = "rm -f \"$0\"; mkfifo \"$0\"; exit";
        Process explain = started(
                List.of("explain", "--for", "1s", "--keep", file().toString()),
                List.of("sh", "-c", "trap '" + replace + "' TERM; while :; do sleep 0.1; done", file().toString()));

        assertThat(explain.waitFor(120, TimeUnit.SECONDS)).as(text("err")).isTrue();
        assertThat(explain.exitValue()).as(text("err")).isEqualTo(2);
        assertThat(text("err")).contains("unjank explain: another program has replaced the recording " + file());
    }

    @Test
    void theListIsAskedAtATerminal() throws Exception {
        try (PseudoTerminal terminal = PseudoTerminal.run(Map.of(), "explain")) {
            terminal.see("MAIN CLASS");
            terminal.see("Which process? PID");
            terminal.press("x" + PseudoTerminal.ENTER);
            terminal.see("Which process? PID");
            terminal.press(PseudoTerminal.CTRL_D);
            terminal.see("unjank explain: no process is chosen");
            assertThat(terminal.exitCode()).isEqualTo(2);
        }
    }

    @Test
    void aWrongCommandLineIsRefused() {
        assertThat(CommandRun.of("record", "--").err()).isEqualTo("unjank record: no program is given after --\n");
        assertThat(CommandRun.of("record", "--pid", "1", "--", "true").err())
                .isEqualTo("unjank record: --pid and -- COMMAND cannot be combined\n");
        assertThat(CommandRun.of("record", "Shop").err())
                .isEqualTo("unjank record: unexpected argument 'Shop'; expected --pid PID|NAME, or -- COMMAND\n");
        assertThat(CommandRun.of("explain", "1", "2").err())
                .isEqualTo("unjank explain: expected one process: PID, NAME, or -- COMMAND\n");
        assertThat(CommandRun.of("explain", "--", "no-such-program-here").err())
                .isEqualTo("unjank explain: no-such-program-here: no such program\n");
        for (String command : List.of("record", "explain")) {
            assertThat(CommandRun.of(command, "--").code()).isEqualTo(2);
        }
    }
}
