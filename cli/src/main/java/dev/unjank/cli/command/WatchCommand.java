package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.FullScreenTerminal;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.cli.watch.IncidentLines;
import dev.unjank.cli.watch.IncidentSnapshot;
import dev.unjank.cli.watch.ProcessWatcher;
import dev.unjank.cli.watch.WatchMessages;
import dev.unjank.cli.watch.WatchScreen;
import dev.unjank.cli.watch.WatchSnapshot;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.live.LiveRecording;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code unjank watch}: records a process and diagnoses its waits live. */
@Command(
        description = {
            "%nShows a running process live: its busiest threads, current lock waits, and the doctor's verdict on each wait"
                    + " when it ends. On a terminal it redraws a screen (q or Ctrl-C quits); otherwise it prints one line"
                    + " per wait, two to three seconds after its end. The process needs no preparation; it is neither paused nor"
                    + " ended.%n",
            "It records the same data as 'unjank record' and keeps the last ten seconds in a temporary folder, which it"
                    + " deletes on exit. Without root, kernel scheduling is not recorded, and some verdicts are less precise or UNKNOWN.%n"
        },
        exitCodeList = {
            "0:the duration elapsed, the process or the last data source ended, or you pressed q",
            "1:internal failure (--debug shows the stack trace)",
            "2:the process cannot be recorded, or writing the recording failed",
            "129:terminal closed (SIGHUP)",
            "130:interrupted (Ctrl-C, SIGINT)",
            "143:terminated (SIGTERM)"
        },
        footer = {
            "",
            "Examples:",
            "  unjank watch                                 list the running JVMs and ask",
            "  sudo unjank watch --pid 4711",
            "  sudo unjank watch --pid Shop                 by main class or process name",
            "  sudo unjank watch --pid 4711 --thread http-nio-1 --min-ms 20",
            "  sudo unjank watch --pid 4711 --duration 10m > waits.txt"
        })
final class WatchCommand implements Callable<Integer> {
    private static final int SUMMARY_INCIDENTS = 5;

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
    private static final long END_CHECK_MILLIS = 100;

    private final Terminal terminal;

    @Mixin
    private final TargetProcessOptions target = new TargetProcessOptions();

    @Option(
            names = "--thread",
            paramLabel = "NAME|TID",
            description = "Only show waits of this thread (default: all threads of the process).")
    private String thread = DoctorOptions.ALL_THREADS;

    @Option(
            names = "--min-ms",
            paramLabel = "X",
            defaultValue = "5",
            converter = DoctorCommand.Milliseconds.class,
            description = "Only show waits of at least X ms (default: ${DEFAULT-VALUE}).")
    private Duration leastWait = Duration.ofMillis(5);

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = AmountConverters.Time.class,
            defaultValue = "1s",
            description = "Redraw the screen at this interval (default: ${DEFAULT-VALUE}).")
    private Duration interval = Duration.ofSeconds(1);

    private final Set<String> printedRemarks = new HashSet<>();

    /** The number of diagnosis rounds so far. */
    private long rounds;

    WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new UserError("--interval: must not be shorter than 100ms");
        }
        RecordingTarget process = target.target(terminal);
        int pid = process.pid();
        try (InterruptionHandler interruption = InterruptionHandler.listen()) {
            LiveRecording recording = start(TargetProcessOptions.recorded(pid, interruption));
            try {
                SourceStatusLines lines = requireAny(pid, recording.availability());
                ProcessWatcher watch =
                        new ProcessWatcher(recording, pid, new DoctorOptions(thread, Integer.toString(pid), leastWait));
                if (terminal.isLive()) {
                    onScreen(watch, recording, interruption, process);
                } else {
                    inLines(watch, recording, lines, interruption, process);
                }
            } finally {
                try {
                    recording.close();
                } finally {
                    recording.delete();
                }
            }
            return interruption.isWanted() ? ExitCode.INTERRUPTED : ExitCode.OK;
        }
    }

    private LiveRecording start(TargetJvm recorded) throws IOException {
        try (ProgressLine _ = ProgressLine.show(terminal, "starting to record process " + recorded.pid())) {
            return LiveRecording.start(recorded, target.system(), JvmSourceOptions.MIN_WAIT);
        }
    }

    private SourceStatusLines requireAny(int pid, List<SourceAvailability> sources) {
        SourceStatusLines lines = new SourceStatusLines(terminal.err);
        boolean isAny = isAnyOn(sources);
        if (!terminal.isLive() || !isAny) {
            lines.print(sources);
        }
        if (!isAny) {
            throw new UserError("cannot record process " + pid);
        }
        return lines;
    }

    private static boolean isAnyOn(List<SourceAvailability> sources) {
        return sources.stream().anyMatch(SourceAvailability::isOn);
    }

    private void onScreen(
            ProcessWatcher watch, LiveRecording recording, InterruptionHandler interruption, RecordingTarget process)
            throws IOException {
        String title = "unjank watch " + process.pid() + "  " + TerminalText.printable(recording.processName());
        long start = System.nanoTime();
        long nanos;
        String why;
        try (FullScreenTerminal screen = FullScreenTerminal.open(terminal)) {
            why = untilTheEnd(recording, interruption, process, screen::isQuitWanted, () -> {
                watch.next();
                if (rounds++ % roundsPerRedraw() == 0) {
                    screen.draw(new WatchScreen(
                                    title, screen.width(), screen.height(), terminal.colour(), ZoneId.systemDefault())
                            .lines(watch.view(), (System.nanoTime() - start) / 1_000_000_000));
                }
            });
            nanos = System.nanoTime() - start;
        }
        recording.close();
        watch.last();
        WatchSnapshot view = watch.view();
        printNew(watch.remarks());
        terminal.out.println(summary(process, view, nanos, why));
        view.worst().stream()
                .limit(SUMMARY_INCIDENTS)
                .forEach(incident -> terminal.out.println(IncidentLines.line(incident)));
        terminal.out.flush(); // after an interrupt nothing else flushes it
    }

    private void inLines(
            ProcessWatcher watch,
            LiveRecording recording,
            SourceStatusLines lines,
            InterruptionHandler interruption,
            RecordingTarget process)
            throws IOException {
        long start = System.nanoTime();
        String why = untilTheEnd(recording, interruption, process, terminal::hasOutputFailed, () -> {
            print(watch.next());
            lines.print(recording.availability());
            printNew(watch.remarks());
        });
        long nanos = System.nanoTime() - start;
        recording.close();
        lines.print(recording.availability());
        print(watch.last());
        printNew(watch.remarks());
        terminal.err.println(summary(process, watch.view(), nanos, why));
    }

    /** Prints each remark once, for example that the process does not have a thread with the given name. */
    private void printNew(List<String> remarks) {
        remarks.stream()
                .filter(printedRemarks::add)
                .forEach(remark -> terminal.err.println("unjank watch: " + TerminalText.printable(remark)));
    }

    /** The ring buffer holds only a few seconds, so it is read more often than the screen is redrawn. */
    private long roundsPerRedraw() {
        return Math.ceilDiv(interval.toNanos(), LiveRecording.PIECE.toNanos());
    }

    /** A periodic action. */
    private interface Round {
        void run() throws IOException;
    }

    /** Runs rounds until the end, and returns its reason. */
    private String untilTheEnd(
            LiveRecording recording,
            InterruptionHandler interruption,
            RecordingTarget process,
            BooleanSupplier isQuitWanted,
            Round round)
            throws IOException {
        long start = System.nanoTime();
        long end = target.nanos();
        long pauseNanos = interval.toNanos() / roundsPerRedraw();
        long next = 0;
        while (true) {
            long elapsed = System.nanoTime() - start;
            if (elapsed >= next) {
                round.run();
                elapsed = System.nanoTime() - start;
                next = elapsed + pauseNanos;
            }
            IOException failure = recording.failure();
            if (failure != null) {
                throw new UserError("writing the recording failed: " + FailureHandler.oneLine(failure));
            }
            if (!process.isAlive()) {
                return "the process has ended";
            }
            if (!isAnyOn(recording.availability())) {
                return "all data sources have ended";
            }
            if (elapsed >= end) {
                return "the duration has elapsed";
            }
            if (isQuitWanted.getAsBoolean()) {
                return "ended by the user";
            }
            long pause = Math.min(END_CHECK_MILLIS, (Math.min(next, end) - elapsed) / 1_000_000 + 1);
            if (interruption.await(pause)) {
                return "interrupted";
            }
        }
    }

    private void print(List<IncidentSnapshot> incidents) {
        IncidentLines.of(incidents).forEach(terminal.out::println);
        terminal.out.flush();
    }

    private static String summary(RecordingTarget process, WatchSnapshot view, long nanos, String why) {
        return WatchMessages.of(
                "summary",
                process.pid(),
                String.format(Locale.ROOT, "%.0f", nanos / 1e9),
                WatchMessages.incidents(view.count(), view.sumNs()),
                WatchMessages.lost(view.progress().lost()),
                why);
    }
}
