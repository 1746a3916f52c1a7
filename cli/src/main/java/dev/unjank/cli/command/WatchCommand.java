package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.FullScreenTerminal;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.cli.watch.IncidentSnapshot;
import dev.unjank.cli.watch.ProcessWatcher;
import dev.unjank.cli.watch.WatchScreen;
import dev.unjank.cli.watch.WatchSnapshot;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.record.jvm.TargetJvm;
import dev.unjank.record.live.LiveRecording;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code unjank watch}: what {@code record} and {@code doctor} do, while one looks on. */
@Command(
        description = {
            "%nWatches a running process: which threads matter, who waits for whose lock now, and the doctor's verdict on each"
                    + " wait when it is over. On a terminal the screen is drawn anew from time to time (q or Ctrl-C ends it);"
                    + " elsewhere there is a line for each wait. The process needs no preparation and is not stopped.%n",
            "It records what 'unjank record' does, keeps the last ten seconds of it in the folder for temporary files, and"
                    + " leaves nothing behind. Without root there is no kernel scheduling: some verdicts then are"
                    + " less exact or UNKNOWN.%n"
        },
        exitCodeList = {
            "0:the time was over, the process had ended, no source was on any more, or q was pressed",
            "1:the program failed (--debug shows where)",
            "2:nothing can be watched of the process, or the last seconds could not be written",
            "129:its terminal was closed (SIGHUP)",
            "130:interrupted (Ctrl-C, SIGINT)",
            "143:ended by SIGTERM, as kill sends it"
        },
        footer = {
            "",
            "Examples:",
            "  jcmd                                         lists Java processes and their numbers",
            "  sudo unjank watch --pid 4711",
            "  sudo unjank watch --pid 4711 --thread http-nio-1 --min-ms 20",
            "  sudo unjank watch --pid 4711 --duration 10m > waits.txt"
        })
final class WatchCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;
    private static final int TOLD_AT_END = 5;

    /** Shorter waits are not recorded by the target's Flight Recorder: there may be very many. */
    private static final Duration LEAST_WAIT = Duration.ofMillis(1);

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
    private static final long LOOK_FOR_END_MILLIS = 100;

    /** With the date, so that a file of such lines can be read days later. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT);

    private final Terminal terminal;

    @Mixin
    private final TargetProcessOptions target = new TargetProcessOptions();

    @Option(
            names = "--thread",
            paramLabel = "NAME|TID",
            description = "Only the waits of this thread (default: those of every thread of the process).")
    private String thread = DoctorOptions.ALL_THREADS;

    @Option(
            names = "--min-ms",
            paramLabel = "X",
            defaultValue = "5",
            converter = DoctorCommand.Milliseconds.class,
            description = "Leave out waits shorter than X milliseconds (default: ${DEFAULT-VALUE}).")
    private Duration leastWait = Duration.ofMillis(5);

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = AmountConverters.Time.class,
            defaultValue = "1s",
            description =
                    "Draw so often (default: ${DEFAULT-VALUE}). Where there is no screen to be drawn, a wait is told two to three"
                            + " seconds after it is over, whatever this is.")
    private Duration interval = Duration.ofSeconds(1);

    private final Set<String> remarksTold = new HashSet<>();

    /** How many looks there have been. */
    private long looks;

    WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ProcessHandle process = target.process();
        int pid = target.pid();
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new UserError("--interval: must not be shorter than 100ms");
        }
        try (InterruptionHandler interruption = InterruptionHandler.listen()) {
            LiveRecording recording = start(target.recorded(interruption));
            try {
                SourceStatusLines lines = requireAny(recording.availability());
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
            return interruption.isWanted() ? INTERRUPTED : ExitCode.OK;
        }
    }

    private LiveRecording start(TargetJvm recorded) throws IOException {
        try (ProgressLine _ = ProgressLine.show(terminal, "looking into process " + target.pid())) {
            return LiveRecording.start(recorded, target.system(), LEAST_WAIT);
        }
    }

    private SourceStatusLines requireAny(List<SourceAvailability> sources) {
        SourceStatusLines lines = new SourceStatusLines(terminal.err);
        boolean isAny = isAnyOn(sources);
        if (!terminal.isLive() || !isAny) {
            lines.tell(sources);
        }
        if (!isAny) {
            throw new UserError("nothing can be watched of process " + target.pid());
        }
        return lines;
    }

    private static boolean isAnyOn(List<SourceAvailability> sources) {
        return sources.stream().anyMatch(SourceAvailability::isOn);
    }

    private void onScreen(
            ProcessWatcher watch, LiveRecording recording, InterruptionHandler interruption, ProcessHandle process)
            throws IOException {
        String title = "unjank watch " + target.pid() + "  " + TerminalText.printable(recording.processName());
        long start = System.nanoTime();
        long nanos;
        String why;
        try (FullScreenTerminal screen = FullScreenTerminal.open(terminal)) {
            why = untilTheEnd(recording, interruption, process, screen::isQuitWanted, () -> {
                watch.next();
                if (looks++ % looksPerDrawing() == 0) {
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
        tell(watch.remarks());
        terminal.out.println(summary(view, nanos, why));
        view.worst().stream().limit(TOLD_AT_END).forEach(told -> terminal.out.println(line(told)));
        terminal.out.flush(); // after an interruption nobody else does
    }

    private void inLines(
            ProcessWatcher watch,
            LiveRecording recording,
            SourceStatusLines lines,
            InterruptionHandler interruption,
            ProcessHandle process)
            throws IOException {
        long start = System.nanoTime();
        String why = untilTheEnd(recording, interruption, process, terminal::isDeaf, () -> {
            print(watch.next());
            lines.tell(recording.availability());
            tell(watch.remarks());
        });
        long nanos = System.nanoTime() - start;
        recording.close();
        lines.tell(recording.availability());
        print(watch.last());
        tell(watch.remarks());
        terminal.err.println(summary(watch.view(), nanos, why));
    }

    /** Each once: whoever waits for lines of a thread that is not there waits for ever. */
    private void tell(List<String> remarks) {
        remarks.stream()
                .filter(remarksTold::add)
                .forEach(remark -> terminal.err.println("unjank watch: " + TerminalText.printable(remark)));
    }

    /** The ring keeps some seconds only: looks are taken in time, however seldom the screen is drawn. */
    private long looksPerDrawing() {
        return Math.ceilDiv(interval.toNanos(), LiveRecording.PIECE.toNanos());
    }

    /** Something that is done from time to time. */
    private interface Round {
        void run() throws IOException;
    }

    /** Watches until something ends it, and says what that was. */
    private String untilTheEnd(
            LiveRecording recording,
            InterruptionHandler interruption,
            ProcessHandle process,
            BooleanSupplier isQuitWanted,
            Round round)
            throws IOException {
        long start = System.nanoTime();
        long end = target.nanos();
        long pauseNanos = interval.toNanos() / looksPerDrawing();
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
                throw new UserError("the last seconds could not be written: " + FailureHandler.oneLine(failure));
            }
            if (!process.isAlive()) {
                return "the process has ended";
            }
            if (!isAnyOn(recording.availability())) {
                return "nothing is recorded any more";
            }
            if (elapsed >= end) {
                return "the time is over";
            }
            if (isQuitWanted.getAsBoolean()) {
                return "ended by you";
            }
            long pause = Math.min(LOOK_FOR_END_MILLIS, (Math.min(next, end) - elapsed) / 1_000_000 + 1);
            if (interruption.await(pause)) {
                return "interrupted";
            }
        }
    }

    private void print(List<IncidentSnapshot> incidents) {
        incidents.forEach(told -> terminal.out.println(line(told)));
        terminal.out.flush();
    }

    private static String line(IncidentSnapshot told) {
        return TIME.format(told.end().atZone(ZoneId.systemDefault())) + "  "
                + String.format(Locale.ROOT, "%12s", DurationFormat.time(told.durNs())) + "  " + told.grade()
                + (told.unfinished() ? ", unfinished" : "") + "  " + told.story();
    }

    private String summary(WatchSnapshot view, long nanos, String why) {
        return "Watched " + target.pid() + " for "
                + String.format(Locale.ROOT, "%.0f s", nanos / 1e9) + ": "
                + (view.count() == 0 ? "no incident" : WatchScreen.sum(view.count(), view.sumNs()))
                + (view.progress().lost() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", %,d events lost",
                                view.progress().lost()))
                + "; " + why + ".";
    }
}
