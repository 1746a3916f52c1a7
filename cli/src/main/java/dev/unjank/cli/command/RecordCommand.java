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

/** {@code unjank record}: watches a running process and writes a trace of it. */
@Command(
        description = {
            "%nWatches a running process and writes what its threads do as a Perfetto trace: who ran, who waited, for"
                    + " whom. The doctor reads it, and so does ui.perfetto.dev. The process needs no preparation and is"
                    + " not stopped.%n",
            "Each source is tried at the start, and a line says whether it is on and, if not, what to do for it. The"
                    + " kernel's scheduling needs root. The recording begins when all are on.%n",
            "A script that starts it in the background, with &, has it ignore Ctrl-C: 'kill NUMBER' ends it as well.%n"
        },
        exitCodeList = {
            "0:recorded, until the time was over, the process had ended, or no source was on any more",
            "1:the program failed (--debug shows where)",
            "2:nothing could be recorded, or the file could not be written to its end (what was written is kept), or something"
                    + " could not be removed again (the line names it)",
            "129:its terminal was closed (SIGHUP); the file is whole",
            "130:interrupted (Ctrl-C, SIGINT); the file is whole",
            "143:ended by SIGTERM, as kill sends it; the file is whole"
        },
        footer = {
            "",
            "Examples:",
            "  jcmd                                            lists Java processes and their numbers",
            "  sudo unjank record --pid 4711 -o app.pftrace --duration 10s",
            "  sudo unjank record --pid 4711 -o app.pftrace --ring 64MB    until Ctrl-C, the last 64 MB",
            "  sudo unjank record --pid 4711 -o app.pftrace --ring 30s     until Ctrl-C, the last half minute",
            "  unjank doctor app.pftrace --process 4711"
        })
final class RecordCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;
    private static final long LOOK_EVERY_MILLIS = 100;
    /** Shorter waits are not recorded by the target's Flight Recorder: there may be very many. */
    private static final Duration MIN_WAIT = Duration.ofMillis(1);
    /** How often what the Flight Recorder has is taken over. */
    private static final Duration PIECE = Duration.ofSeconds(5);

    private final Terminal terminal;

    @Mixin
    private final TargetProcessOptions target = new TargetProcessOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where to write the trace, replacing what is there (default: unjank-PID.pftrace).")
    private @Nullable Path output;

    @Option(
            names = "--ring",
            paramLabel = "SIZE|TIME",
            converter = AmountConverters.Ring.class,
            description =
                    "Keep only the last so much, such as 64MB or 30s; older parts are dropped an eighth at a time.")
    private Rotation ring = Rotation.NONE;

    @Option(names = "--futex", description = "Record the futex system calls below most locks, too: there may be many.")
    private boolean futex;

    @Option(
            names = "--critical",
            description =
                    "Record who is inside JNI critical sections, too, during which most collectors cannot begin, and who"
                            + " sleeps in critical native calls, which hold everybody up. Each section costs its thread some"
                            + " microseconds, also in other programs on the same Java.")
    private boolean critical;

    @Option(
            names = "--no-other-names",
            description =
                    "Leave the names of other processes and their threads out, as for a recording that is handed on.")
    private boolean noOtherNames;

    RecordCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ProcessHandle process = target.process();
        Path file = output == null ? Path.of("unjank-" + target.pid() + ".pftrace") : output;
        if (Files.isDirectory(file)) {
            throw new UserError(file + ": is a directory; name a file in it");
        }
        try (InterruptionHandler interruption = InterruptionHandler.listen()) {
            SourceStatusLines lines = new SourceStatusLines(terminal.err);
            TargetJvm recorded = target.recorded(interruption);
            Recording recording = Recording.start(file, ring, target.pid(), sources(recorded), lines::tell);
            interruption.watch(recording::joinedBytes);
            if (isOver(recording)) {
                recording.close();
                if (interruption.isWanted()) {
                    return INTERRUPTED;
                }
                throw new UserError("nothing can be recorded of process " + target.pid());
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

    /** Whether no source is on. */
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
        lines.tell(recording.availability());
        if (failure != null && recording.failure() != null) {
            throw new UserError("the recording could not be finished: " + FailureHandler.oneLine(failure) + "; "
                    + (isEmpty(recording)
                            ? "nothing had been recorded"
                            : "what was written before is whole (" + figures(recording.progress()) + "). "
                                    + next(recording)));
        }
        tell(recording, why);
        if (failure != null) {
            throw new UserError(
                    "the recording is whole, but something is left behind: " + FailureHandler.oneLine(failure));
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

    /** Waits for whatever ends the recording, and says what it was. */
    private String await(
            Recording recording, SourceStatusLines lines, InterruptionHandler interruption, ProcessHandle process) {
        long start = System.nanoTime();
        long length = target.nanos();
        String why = "";
        while (why.isEmpty()) {
            long elapsed = System.nanoTime() - start;
            terminal.progress("");
            lines.tell(recording.availability());
            terminal.progress("recording, " + figures(recording.progress())
                    + (length == Long.MAX_VALUE ? "; Ctrl-C ends it" : ""));
            if (recording.failure() != null) {
                why = "writing failed";
            } else if (!process.isAlive()) {
                why = "the process has ended";
            } else if (isOver(recording)) {
                why = "nothing is recorded any more";
            } else if (elapsed >= length) {
                why = "the time is over";
            } else if (interruption.await(Math.min(LOOK_EVERY_MILLIS, (length - elapsed) / 1_000_000 + 1))) {
                why = "interrupted";
            }
        }
        terminal.progress("");
        return why;
    }

    private void tell(Recording recording, String why) {
        String missing = named(recording, SourceAvailability.State.OFF);
        String ended = named(recording, SourceAvailability.State.ENDED);
        terminal.out.println("Wrote " + name(recording) + " (" + figures(recording.progress())
                + (missing.isEmpty() ? "" : "; without " + missing)
                + (ended.isEmpty() ? "" : "; not to the end: " + ended) + "; " + why + ")."
                + (isEmpty(recording) ? "" : " " + next(recording)));
        terminal.out.flush(); // after an interruption nobody else does
    }

    private static boolean isEmpty(Recording recording) {
        return recording.progress().events() == 0;
    }

    private static String name(Recording recording) {
        return TerminalText.printable(recording.files().getLast().toString());
    }

    /** What to do with it. Parts that could not be joined are read together. */
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

    /** What the file has, what is missing in it, and what a ring has dropped as it was told to. */
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
