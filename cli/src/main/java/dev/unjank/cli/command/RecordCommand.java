package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unjank record}: records a running process to a trace. */
@Command(
        description = {
            "%nRecords a process to a Perfetto trace: scheduling, lock waits and their owners. Read it with unjank doctor or"
                    + " ui.perfetto.dev. A running process needs no preparation; it is neither paused nor ended. A program"
                    + " after -- is started, recorded, and ends with the recording.%n",
            "At start it prints one line per data source: whether it is on and, if not, how to enable it. Recording kernel"
                    + " scheduling needs root.%n",
            "When a script starts unjank record in the background (&), it ignores Ctrl-C; stop it with 'kill $!'.%n"
        },
        exitCodeList = {
            "0:the duration elapsed, the process ended, or the last data source ended or failed",
            "N:with -- COMMAND: the program's exit code, if it ended by itself",
            "1:internal failure (--debug shows the stack trace)",
            "2:nothing could be recorded, writing failed (the partial file is kept), or cleanup failed (see the error message)",
            "129:terminal closed (SIGHUP); the file is complete",
            "130:interrupted (Ctrl-C, SIGINT); the file is complete",
            "143:terminated (SIGTERM); the file is complete"
        },
        footer = {
            "",
            "Examples:",
            "  unjank record                                   list the running JVMs and ask",
            "  sudo unjank record --pid 4711 -o app.pftrace --duration 10s",
            "  sudo unjank record --pid Shop -o app.pftrace    by main class or process name",
            "  sudo unjank record -o app.pftrace -- java -jar app.jar",
            "  sudo unjank record --pid 4711 -o app.pftrace --ring 64MB    until Ctrl-C; keeps the end",
            "  sudo unjank record --pid 4711 -o app.pftrace --ring 30s     until Ctrl-C; keeps the end",
            "  unjank doctor app.pftrace"
        })
final class RecordCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final TargetProcessOptions target = new TargetProcessOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the trace to FILE, replacing it (default: unjank-PID.pftrace).")
    private @Nullable Path output;

    @Option(
            names = "--ring",
            paramLabel = "SIZE|TIME",
            converter = AmountConverters.Ring.class,
            description =
                    "Keep only the end of the recording: --ring 30s at least the last 30 s, --ring 64MB the last 56 to 64 MB."
                            + " The oldest data is deleted in parts.")
    private Rotation ring = Rotation.NONE;

    @Option(
            names = "--futex",
            description = "Also record futex system calls, which most locks use. This may add many events.")
    private boolean futex;

    @Option(
            names = "--critical",
            description =
                    "Also record JNI critical sections (GetPrimitiveArrayCritical), which delay most garbage collectors, and"
                            + " sleeps in critical native calls (Linker.Option), which delay safepoints. The probes are in libjvm.so:"
                            + " each JNI critical section costs its thread a few microseconds, even in other processes of the"
                            + " same Java installation.")
    private boolean critical;

    @Mixin
    private final JvmSourceOptions jvm = new JvmSourceOptions();

    @Option(
            names = "--no-other-names",
            description = "Omit the names of other processes and their threads, for recordings that you share.")
    private boolean noOtherNames;

    @Parameters(
            arity = "0..*",
            paramLabel = "-- COMMAND",
            description =
                    "Start this program and record it from its beginning, a JVM from its main method. Ctrl-C ends both.")
    private List<String> words = List.of();

    @Spec
    private @Nullable CommandSpec spec;

    RecordCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        List<String> command = RecordingTarget.command(Objects.requireNonNull(spec), words);
        if (command.size() < words.size()) {
            throw new UserError("unexpected argument '" + TerminalText.printable(words.getFirst())
                    + "'; expected --pid PID|NAME, or -- COMMAND");
        }
        if (target.isGiven() && !command.isEmpty()) {
            throw new UserError("--pid and -- COMMAND cannot be combined");
        }
        RecordingTarget running = command.isEmpty() ? target.target(terminal) : null;
        try (InterruptionHandler interruption = InterruptionHandler.listen();
                RecordingTarget recorded = running == null ? RecordingTarget.start(command) : running) {
            boolean isRecorded = record(recorded, interruption);
            return isRecorded && !interruption.isWanted() ? recorded.exitCode(ExitCode.OK) : ExitCode.INTERRUPTED;
        }
    }

    /** Records; false if it was interrupted before there was a recording. */
    private boolean record(RecordingTarget process, InterruptionHandler interruption) throws IOException {
        Path file = output == null ? Path.of("unjank-" + process.pid() + ".pftrace") : output;
        if (file.toString().isEmpty()) {
            throw new UserError("the file name after -o is empty (expected a file)");
        }
        if (Files.isDirectory(file)) {
            throw new UserError(file + ": is a directory (expected a file)");
        }
        if (!process.awaitReady(interruption)) {
            return process.hasNotBegun(interruption);
        }
        SourceStatusLines lines = new SourceStatusLines(terminal.err);
        Recording recording =
                Recording.start(file, ring, process.pid(), sources(process.pid(), interruption), lines::print);
        interruption.watch(recording::joinedBytes);
        if (RecordingWait.isOver(recording)) {
            recording.close();
            return process.hasNotBegun(interruption);
        }
        String why = "the program failed";
        try {
            process.release();
            why = new RecordingWait(terminal, process, interruption, target.nanos()).await(recording, lines);
        } finally {
            end(recording, lines, process, why);
        }
        return true;
    }

    private void end(Recording recording, SourceStatusLines lines, RecordingTarget process, String why) {
        IOException failure = null;
        try {
            recording.close();
        } catch (IOException e) {
            failure = e;
        }
        lines.print(recording.availability());
        if (failure != null && recording.failure() != null) {
            throw new UserError("the recording could not be finished: " + FailureHandler.oneLine(failure) + "; "
                    + (isEmpty(recording)
                            ? "nothing had been recorded"
                            : "the data written before is complete (" + RecordingWait.figures(recording.progress())
                                    + "). " + next(recording)));
        }
        printSummary(recording, why, process.isStarted() ? terminal.err : terminal.out);
        if (failure != null) {
            throw new UserError("the recording is complete, but cleanup failed: " + FailureHandler.oneLine(failure));
        }
    }

    private List<RecordingSource> sources(int pid, InterruptionHandler interruption) {
        List<RecordingSource> sources = new ArrayList<>();
        KernelSource kernel = new KernelSource(pid, target.system(), futex).endingWhen(interruption::isWanted);
        sources.add(noOtherNames ? kernel.withoutOtherNames() : kernel);
        if (critical) {
            sources.add(new JniCriticalSource(pid, interruption::isWanted));
            sources.add(new CriticalDowncallSource(pid, interruption::isWanted));
        }
        sources.addAll(jvm.sources(pid, interruption));
        return sources;
    }

    /** Prints what was recorded; beside the output of a started program to standard error. */
    private static void printSummary(Recording recording, String why, PrintWriter out) {
        String missing = named(recording, SourceAvailability.State.OFF);
        String ended = named(recording, SourceAvailability.State.ENDED);
        out.println("Wrote " + name(recording) + " (" + RecordingWait.figures(recording.progress())
                + (missing.isEmpty() ? "" : "; without " + missing)
                + (ended.isEmpty() ? "" : "; ended early: " + ended) + "; " + why + ")."
                + (isEmpty(recording) ? "" : " " + next(recording)));
        out.flush(); // after an interrupt nothing else flushes it
    }

    private static boolean isEmpty(Recording recording) {
        return recording.progress().events() == 0;
    }

    private static String name(Recording recording) {
        return TerminalText.printable(recording.files().getLast().toString());
    }

    /** The suggested next command. If the parts could not be joined, all of them are arguments of the command. */
    private static String next(Recording recording) {
        String name = name(recording);
        return "Next: unjank doctor " + (recording.files().size() > 1 ? name + ".part* " : "") + name;
    }

    private static String named(Recording recording, SourceAvailability.State state) {
        return recording.availability().stream()
                .filter(source -> source.state() == state)
                .map(SourceAvailability::source)
                .collect(Collectors.joining(", "));
    }
}
