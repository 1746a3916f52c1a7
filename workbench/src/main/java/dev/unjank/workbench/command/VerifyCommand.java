package dev.unjank.workbench.command;

import dev.unjank.cli.command.IntRangeConverter;
import dev.unjank.cli.command.QueueOption;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.looper.QueueKind;
import dev.unjank.workbench.soak.Soak;
import dev.unjank.workbench.soak.SoakFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code unjank verify}: runs a soak test of the message loop. */
@Command(
        description = {
            "%nApplies random operations to a message loop and checks the results: single-threaded results against an"
                    + " exact model, multi-threaded results against invariants. Single- and multi-threaded rounds"
                    + " alternate; each runs on every queue. A round is determined by its seed; a failure is printed"
                    + " with the command that replays it. A single-threaded round replays exactly. In a multi-threaded"
                    + " round the seed determines the operations but not the interleaving, so a replay repeats the"
                    + " round until it fails again. Ctrl-C stops the test and prints the summary.%n"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all checks passed", "1:a check failed, or internal failure", "2:wrong usage"},
        footer = {
            "",
            "Examples:",
            "  unjank verify --minutes 30",
            "  unjank verify --replay 8155799519770760347 --queue lockfree"
        })
public final class VerifyCommand implements Callable<Integer> {
    private static final double NANOS_PER_MINUTE = 60e9;
    private static final long NANOS_PER_MS = 1_000_000;
    private static final long PROGRESS_MS = 1_000;
    private static final Duration LAST_ROUND = Duration.ofSeconds(5);
    private static final int MAX_FINDINGS = 10;

    private final Terminal terminal;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "1",
            converter = Minutes.class,
            description = "Duration in minutes, may be fractional (default: ${DEFAULT-VALUE}).")
    private double minutes;

    @Option(
            names = "--seed",
            paramLabel = "S",
            converter = Seed.class,
            description = "Seed of the first round; it determines all later rounds (default: random).")
    private @Nullable Long seed;

    @Option(
            names = "--replay",
            paramLabel = "S",
            converter = Seed.class,
            description = "Replay only the round with this seed, as printed on failure.")
    private @Nullable Long replay;

    @Mixin
    private final QueueOption queues = new QueueOption();

    @Option(
            names = "--threads",
            paramLabel = "T",
            defaultValue = "4",
            converter = Threads.class,
            description =
                    "Maximum number of threads per round, 1 to " + Soak.MAX_THREADS + " (default: ${DEFAULT-VALUE}).")
    private int threads;

    public VerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (replay != null && seed != null) {
            throw new UserError("--seed and --replay are mutually exclusive");
        }
        Soak soak = new Soak(queues.kinds(), threads);
        long first = seed == null ? ThreadLocalRandom.current().nextLong(Long.MAX_VALUE) : seed;
        long start = System.nanoTime();
        try (InterruptionHandler interruption = InterruptionHandler.listen(LAST_ROUND)) {
            Thread timer = Thread.ofPlatform().daemon().name("timer").start(() -> watch(soak, start, interruption));
            if (replay == null) {
                terminal.out.println("seed " + first);
                terminal.out.flush();
                soak.run(first, finding -> report(finding, soak));
            } else {
                terminal.out.println("replaying the round with seed " + replay
                        + "; a multi-threaded round is repeated until it fails again or the duration has elapsed");
                terminal.out.flush();
                soak.replay(replay, finding -> report(finding, soak));
            }
            timer.interrupt();
            timer.join();
            terminal.progress("");
            terminal.out.println(progress(soak, start));
            terminal.out.flush();
        }
        return soak.findings() == 0 ? ExitCode.OK : ExitCode.INTERNAL;
    }

    /** Prints progress, and stops the run when the duration has elapsed or the user interrupts it. */
    private void watch(Soak soak, long start, InterruptionHandler interruption) {
        long end = start + (long) (minutes * NANOS_PER_MINUTE);
        long leftMs = (end - start) / NANOS_PER_MS;
        while (leftMs > 0 && !interruption.await(Math.min(leftMs, PROGRESS_MS))) {
            terminal.progress(progress(soak, start));
            leftMs = terminal.hasOutputFailed() ? 0 : (end - System.nanoTime()) / NANOS_PER_MS;
        }
        soak.stop();
    }

    private void report(SoakFailure finding, Soak soak) {
        String queue = finding.kind() == QueueKind.MONITOR ? "monitor" : "lockfree";
        terminal.progress("");
        terminal.out.println("FOUND in a round of " + (finding.concurrent() ? "many threads" : "one thread") + ", "
                + queue
                + " queue:\n  " + readable(finding.what()).indent(2).strip() + "\n  replay: unjank verify --replay "
                + finding.seed()
                + " --queue " + queue + " --threads " + threads);
        terminal.out.flush();
        if (soak.findings() >= MAX_FINDINGS) {
            soak.stop();
        }
    }

    /** Puts the model's state on separate lines and shortens lambda names. */
    private static String readable(String what) {
        return what.replaceAll("\\$\\$Lambda/0x[0-9a-f]+(@[0-9a-f]+)?", " lambda")
                .replace(" instead of ", "\ninstead of ")
                .replace("; the model has [", ";\nthe model has\n    ")
                .replace("], Entry[", "],\n    Entry[");
    }

    private static String progress(Soak soak, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        return String.format(
                Locale.ROOT,
                "%,d operations in %,d rounds, %.0f s, %,.0f operations/s: %s",
                soak.operations(),
                soak.rounds(),
                seconds,
                soak.operations() / seconds,
                soak.findings() == 0 ? "nothing found" : soak.findings() + " found");
    }

    private static final class Minutes implements ITypeConverter<Double> {
        private static final double MAX = 100_000;

        @Override
        public Double convert(String value) {
            if (value.matches("[0-9]{1,6}(\\.[0-9]{1,6})?")) {
                double minutes = Double.parseDouble(value);
                if (minutes > 0 && minutes <= MAX) {
                    return minutes;
                }
            }
            throw new TypeConversionException("must be a number of minutes, above 0 and at most 100000");
        }
    }

    private static final class Seed implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            try {
                return Long.valueOf(value);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("must be a whole number");
            }
        }
    }

    private static final class Threads extends IntRangeConverter {
        Threads() {
            super(Soak.MAX_THREADS);
        }
    }
}
