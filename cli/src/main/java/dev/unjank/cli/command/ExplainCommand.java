package dev.unjank.cli.command;

import dev.unjank.cli.file.AtomicFile;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.launch.RunningProcesses;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.record.session.TemporaryFiles;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unjank explain}: records a process for a while, and diagnoses the recording. */
@Command(
        addMethodSubcommands = false,
        description = {
            "%nRecords a running process, or starts a program and records it. Reports what its threads waited for. Use the"
                    + " program meanwhile: the report covers only this time.%n",
            "Without root you can record your own JVMs. With root (sudo) you can record any process, and the report"
                    + " also shows whether a lock owner was running, sleeping or waiting for a CPU. The recording is"
                    + " deleted afterwards unless you --keep it.%n"
        },
        exitCodeList = {
            "0:the report was written",
            "1:internal failure (--debug shows the stack trace)",
            "2:nothing could be recorded, or writing failed (see the error message)",
            "129:terminal closed (SIGHUP)",
            "130:interrupted (Ctrl-C, SIGINT); the report covers the time before",
            "143:terminated (SIGTERM); the report covers the time before"
        },
        footer = {
            "",
            "Examples:",
            "  unjank explain                                  list the running JVMs and ask",
            "  sudo unjank explain 4711                        20 s of process 4711",
            "  sudo unjank explain Shop --for 1m               by main class or process name",
            "  unjank explain --for 30s -- java -jar app.jar   start a program, and end it after 30 s",
            "  sudo unjank explain Shop --page shop.html --keep shop.pftrace"
        })
final class ExplainCommand implements Callable<Integer> {
    private static final int MOST_OF_A_NAME = 100;

    /** Stands for the file in the report's queries if it is not kept. */
    private static final String UNKEPT = "FILE";

    private final Terminal terminal;

    @Parameters(
            arity = "0..*",
            paramLabel = "PID|NAME|-- COMMAND",
            description =
                    "The process: its id, its main class (with or without the package) or its name; or, after --, a"
                            + " program to start.")
    private List<String> words = List.of();

    @Option(
            names = {"--duration", "--for"},
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = AmountConverters.Time.class,
            description =
                    "Record for this time, such as 10s or 2m (default: ${DEFAULT-VALUE}), or until Ctrl-C. A second"
                            + " Ctrl-C ends the command without a report.")
    private Duration duration = Duration.ofSeconds(20);

    @Option(
            names = {"-o", "--page"},
            paramLabel = "FILE",
            description =
                    "Write the report as a page for a browser to FILE, not as text to the terminal. An existing file is"
                            + " replaced. (For the recording, use --keep.)")
    private @Nullable Path page;

    @Option(
            names = "--keep",
            paramLabel = "FILE",
            description =
                    "Keep the recording in FILE, replacing it, for unjank doctor, unjank query and ui.perfetto.dev.")
    private @Nullable Path keep;

    @Mixin
    private final JvmSourceOptions jvm = new JvmSourceOptions();

    @Spec
    private @Nullable CommandSpec spec;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        List<String> command = RecordingTarget.command(Objects.requireNonNull(spec), words);
        List<String> names = words.subList(0, words.size() - command.size());
        if (names.size() > 1 || !(names.isEmpty() || command.isEmpty())) {
            throw new UserError("expected one process: PID, NAME, or -- COMMAND");
        }
        if (page != null) {
            checkPage(page);
        }
        RecordingTarget running = command.isEmpty()
                ? RecordingTarget.running(new TargetChooser(terminal).choose(names.isEmpty() ? null : names.getFirst()))
                : null;
        Path folder = keep == null ? TemporaryFiles.folder("explain") : null;
        boolean isRecorded;
        int code;
        try (InterruptionHandler interruption = InterruptionHandler.listen()) {
            try (RecordingTarget target = running == null ? RecordingTarget.start(command) : running) {
                isRecorded = explain(target, folder, interruption);
                code = isRecorded && !interruption.isWanted() ? ExitCode.OK : ExitCode.INTERRUPTED;
            }
        } finally {
            delete(folder);
        }
        if (isRecorded) {
            terminal.err.println(lastLine());
        }
        return code;
    }

    /** Fails before the recording if the page cannot be written. A pipe without a reader would block after it. */
    private static void checkPage(Path page) throws IOException {
        if (Files.exists(page, LinkOption.NOFOLLOW_LINKS)
                && Files.readAttributes(page, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther()) {
            throw new UserError("cannot write " + page + ": it is a pipe or a device; specify a file");
        }
        AtomicFile.at(page).close();
    }

    /** Records and reports; false if it was interrupted before there was a recording. */
    @SuppressWarnings("try") // closed explicitly: the figures are final only then; closing the target twice is harmless
    private boolean explain(RecordingTarget target, @Nullable Path folder, InterruptionHandler interruption)
            throws IOException {
        if (!target.awaitReady(interruption)) {
            return target.hasNotBegun(interruption);
        }
        String name = RunningProcesses.name(target.pid());
        Path file = folder == null
                ? Objects.requireNonNull(keep)
                : folder.resolve(fileName(name) + "-" + target.pid() + ".pftrace");
        List<RecordingSource> sources = new ArrayList<>(
                List.of(new KernelSource(target.pid(), false, false).endingWhen(interruption::isWanted)));
        sources.addAll(jvm.sources(target.pid(), interruption));
        List<SourceAvailability> found = new ArrayList<>();
        try (Recording recording = Recording.start(file, Rotation.NONE, target.pid(), sources, found::add)) {
            if (RecordingWait.isOver(recording)) {
                new SourceStatusLines(terminal.err).print(found);
                return target.hasNotBegun(interruption);
            }
            target.release();
            terminal.err.println(announcement(name, target, found));
            SourceStatusLines lines = new SourceStatusLines(terminal.err);
            lines.skip(recording.availability());
            String why = new RecordingWait(terminal, target, interruption, duration.toNanos()).await(recording, lines);
            recording.close();
            lines.print(recording.availability());
            target.close();
            interruption.awaitEnd(); // of the report, however long it takes
            interruption.endAtNext(terminal, () -> delete(folder));
            terminal.err.println("Recorded " + RecordingWait.figures(recording.progress()) + "; " + why + ".");
        }
        report(file);
        return true;
    }

    private static void delete(@Nullable Path folder) {
        if (folder != null) {
            ProcessTempFiles.delete(folder);
        }
    }

    /**
     * The beginning of the last part of a program's name, which may be a long path, without characters that shells
     * treat specially.
     */
    static String fileName(String name) {
        String last = name.substring(name.lastIndexOf('/') + 1).replaceAll("[^\\w.-]", "_");
        return last.substring(0, Math.min(last.length(), MOST_OF_A_NAME));
    }

    private String announcement(String name, RecordingTarget target, List<SourceAvailability> found) {
        StringBuilder line = new StringBuilder("Recording ")
                .append(TerminalText.printable(name))
                .append(" (process ")
                .append(target.pid())
                .append(") for ")
                .append(seconds())
                .append("; Ctrl-C ends it early.");
        found.stream()
                .filter(source -> !source.isOn())
                .forEach(source -> line.append(" Without ")
                        .append(source.source())
                        .append(": ")
                        .append(TerminalText.printable(source.detail()))
                        .append(source.remedy() == null ? "." : "; " + source.remedy() + "."));
        return line.toString();
    }

    private String seconds() {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    private void report(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) { // a pipe would never end
            throw new UserError("another program has replaced the recording " + file);
        }
        List<String> arguments = new ArrayList<>(List.of(file.toString()));
        if (page != null) {
            arguments.addAll(List.of("--html", page.toString()));
        }
        DoctorCommand.diagnose(terminal, keep == null ? UNKEPT : null, arguments);
        terminal.out.flush(); // before the last line, where both go to one file
    }

    private String lastLine() {
        return keep == null
                ? "Deleted the recording; to query it, record again with --keep " + UNKEPT + "."
                : "Kept the recording in " + TerminalText.printable(keep.toString()) + ".";
    }
}
