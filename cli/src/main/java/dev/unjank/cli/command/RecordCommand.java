package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code unjank record}: records a running process to a trace. */
@Command(
        description = {
            "%nRecords a running process to a Perfetto trace: scheduling, lock waits and their owners. Read it with unjank"
                    + " doctor or ui.perfetto.dev. The process needs no preparation and is not stopped.%n",
            "At start it prints one line per data source: on, or off and how to enable it. Kernel scheduling needs root.%n",
            "When a script starts it in the background (&), it ignores Ctrl-C; stop it with 'kill PID'.%n"
        },
        exitCodeList = {
            "0:the duration elapsed, the process ended, or the last data source ended",
            "1:internal failure (--debug shows the stack trace)",
            "2:nothing could be recorded, writing failed (the partial file is kept), or cleanup failed (see the error message)",
            "129:terminal closed (SIGHUP); the file is complete",
            "130:interrupted (Ctrl-C, SIGINT); the file is complete",
            "143:terminated (SIGTERM); the file is complete"
        },
        footer = {
            "",
            "Examples:",
            "  jcmd                                            list Java processes and their ids",
            "  sudo unjank record --pid 4711 -o app.pftrace --duration 10s",
            "  sudo unjank record --pid 4711 -o app.pftrace --ring 64MB    until Ctrl-C; keeps the last 64 MB",
            "  sudo unjank record --pid 4711 -o app.pftrace --ring 30s     until Ctrl-C; keeps the last 30 s",
            "  unjank doctor app.pftrace --process 4711"
        })
final class RecordCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;
    private static final long LOOK_EVERY_MILLIS = 100;
    /** The minimum duration of waits that the target's Flight Recorder records; there may be too many shorter ones. */
    private static final Duration MIN_WAIT = Duration.ofMillis(1);
    /** The interval at which the Flight Recorder's events are fetched. */
    private static final Duration PIECE = Duration.ofSeconds(5);

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
                    "Keep only the last part of the recording, such as 64MB or 30s. Older data is dropped in steps of 1/8.")
    private Rotation ring = Rotation.NONE;

    @Option(
            names = "--futex",
            description = "Also record futex system calls, which most locks use. This may add many events.")
    private boolean futex;

    @Option(
            names = "--critical",
            description =
                    "Also record JNI critical sections, which delay most garbage collectors, and sleeps in critical native"
                            + " calls, which delay safepoints. Each section costs its thread a few microseconds, even in"
                            + " other processes of the same Java installation.")
    private boolean critical;

    @Option(
            names = "--no-other-names",
            description = "Omit the names of other processes and their threads, for recordings that you share.")
    private boolean noOtherNames;

    RecordCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ProcessHandle process = target.process();
        Path file = output == null ? Path.of("unjank-" + target.pid() + ".pftrace") : output;
        if (Files.isDirectory(file)) {
            throw new UserError(file + ": is a directory (expected a file)");
        }
        try (InterruptionHandler interruption = InterruptionHandler.listen()) {
            SourceStatusLines lines = new SourceStatusLines(terminal.err);
            TargetJvm recorded = target.recorded(interruption);
            Recording recording = Recording.start(file, ring, target.pid(), sources(recorded), lines::print);
            interruption.watch(recording::joinedBytes);
            if (isOver(recording)) {
                recording.close();
                if (interruption.isWanted()) {
                    return INTERRUPTED;
                }
                throw new UserError("cannot record process " + target.pid());
            }
            String why = "the program failed";
            try {
                why = await(recording, lines, interruption, process);
            } finally {
                end(recording, lines, why);
            }
            return interruption.isWanted() ? INTERRUPTED : ExitCode.OK;
        }
    }

    /** Whether all data sources have ended. */
    private static boolean isOver(Recording recording) {
        return recording.availability().stream().noneMatch(SourceAvailability::isOn);
    }

    private void end(Recording recording, SourceStatusLines lines, String why) {
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
                            : "the data written before is complete (" + figures(recording.progress()) + "). "
                                    + next(recording)));
        }
        printSummary(recording, why);
        if (failure != null) {
            throw new UserError("the recording is complete, but cleanup failed: " + FailureHandler.oneLine(failure));
        }
    }

    private List<RecordingSource> sources(TargetJvm recorded) {
        List<RecordingSource> sources = new ArrayList<>();
        KernelSource kernel = new KernelSource(target.pid(), target.system(), futex);
        sources.add(noOtherNames ? kernel.withoutOtherNames() : kernel);
        if (critical) {
            sources.add(new JniCriticalSource(target.pid()));
            sources.add(new CriticalDowncallSource(target.pid()));
        }
        sources.addAll(recorded.sources(MIN_WAIT, PIECE));
        return sources;
    }

    /** Waits for the end of the recording, and returns its reason. */
    private String await(
            Recording recording, SourceStatusLines lines, InterruptionHandler interruption, ProcessHandle process) {
        long start = System.nanoTime();
        long length = target.nanos();
        String why = "";
        while (why.isEmpty()) {
            long elapsed = System.nanoTime() - start;
            terminal.progress("");
            lines.print(recording.availability());
            terminal.progress("recording, " + figures(recording.progress())
                    + (length == Long.MAX_VALUE ? "; Ctrl-C ends it" : ""));
            if (recording.failure() != null) {
                why = "writing failed";
            } else if (!process.isAlive()) {
                why = "the process has ended";
            } else if (isOver(recording)) {
                why = "all data sources have ended";
            } else if (elapsed >= length) {
                why = "the duration has elapsed";
            } else if (interruption.await(Math.min(LOOK_EVERY_MILLIS, (length - elapsed) / 1_000_000 + 1))) {
                why = "interrupted";
            }
        }
        terminal.progress("");
        return why;
    }

    private void printSummary(Recording recording, String why) {
        String missing = named(recording, SourceAvailability.State.OFF);
        String ended = named(recording, SourceAvailability.State.ENDED);
        terminal.out.println("Wrote " + name(recording) + " (" + figures(recording.progress())
                + (missing.isEmpty() ? "" : "; without " + missing)
                + (ended.isEmpty() ? "" : "; ended early: " + ended) + "; " + why + ")."
                + (isEmpty(recording) ? "" : " " + next(recording)));
        terminal.out.flush(); // after an interrupt nothing else flushes it
    }

    private static boolean isEmpty(Recording recording) {
        return recording.progress().events() == 0;
    }

    private static String name(Recording recording) {
        return TerminalText.printable(recording.files().getLast().toString());
    }

    /** The suggested next command. If the parts could not be joined, all of them are arguments of the command. */
    private String next(Recording recording) {
        String name = name(recording);
        return "Next: unjank doctor " + (recording.files().size() > 1 ? name + ".part* " : "") + name + " --process "
                + target.pid();
    }

    private static String named(Recording recording, SourceAvailability.State state) {
        return recording.availability().stream()
                .filter(source -> source.state() == state)
                .map(SourceAvailability::source)
                .collect(Collectors.joining(", "));
    }

    /** Size, duration, events, lost events, and events dropped by the ring. */
    private static String figures(Recording.Progress progress) {
        return String.format(
                        Locale.ROOT,
                        "%.1f MB, %.1f s, %,d events, %s lost",
                        progress.bytes() / 1e6,
                        progress.time().toNanos() / 1e9,
                        progress.events(),
                        number(progress.lost()))
                + (progress.dropped() == 0 ? "" : ", " + number(progress.dropped()) + " older ones dropped");
    }

    private static String number(long count) {
        return count == 0 ? "none" : String.format(Locale.ROOT, "%,d", count);
    }
}
