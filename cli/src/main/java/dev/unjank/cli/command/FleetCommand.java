package dev.unjank.cli.command;

import dev.unjank.cli.shell.StatementTimeout;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.fleet.folder.FleetFolder;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceTask;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.text.TerminalText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unjank fleet}: diagnoses or queries many traces. */
@Command(
        customSynopsis = {"unjank fleet [OPTION...] PATH... --out=DIR", "       unjank fleet COMMAND"},
        description = {
            "%nRuns the doctor or PerfettoSQL statements on each trace and writes the result rows to a folder, as"
                    + " Parquet files. The rows of one folder are a fleet. Each row has its trace, device, build and"
                    + " app."
                    + " Traces that cannot be read, are too large, or exceed the time limit are listed in the table"
                    + " failures.%n"
        },
        exitCodeList = {
            "0:success (possibly with failed traces)",
            "1:internal failure (--debug shows the stack trace)",
            "2:unusable input, wrong usage, an error in a statement, or every trace failed",
            "130:interrupted (Ctrl-C, SIGINT); finished traces are kept"
        },
        footer = {
            "",
            "Examples:",
            "  unjank fleet traces/ --out week12",
            "  unjank fleet traces/ --out week12 --resume      continue an interrupted run",
            "  unjank fleet 'traces/**.pftrace' more.zip --app com.example --labels builds.csv --out v7",
            "  unjank fleet traces/ -f contention.sql --out contention",
            "  unjank fleet hdfs:///traces --master yarn --out hdfs:///week12",
            "  find /data -name '*.pftrace' -size -100M | unjank fleet - --out all"
        })
final class FleetCommand implements Callable<Integer> {

    private static final String LIST = "-";
    private static final int MAX_THREADS = 1_024;
    private static final long BYTES_PER_MB = 1_000_000;
    private static final double NANOS_PER_MS = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Terminal terminal;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description = "Traces, folders, archives (.zip, .tar, .tar.gz, .tgz), quoted patterns; - reads names from"
                    + " standard input, one per line.")
    private List<String> paths = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write the rows to this folder. It must be new or empty, unless --resume is given.")
    private @Nullable String out;

    @Option(names = "--doctor", description = "Run the doctor on each trace (default unless -f is given).")
    private boolean doctor;

    @Option(
            names = "--min-ms",
            paramLabel = "X",
            defaultValue = "1",
            converter = DoctorCommand.Milliseconds.class,
            description = "Only keep incidents of at least X ms (default: ${DEFAULT-VALUE}).")
    private Duration minDuration = Duration.ofMillis(1);

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Instead of the doctor, run the PerfettoSQL statements in FILE on each trace.")
    private @Nullable Path file;

    @Option(
            names = "--resume",
            description = "Continue a run that was killed or interrupted. Finished traces in DIR are skipped.")
    private boolean resume;

    @Option(
            names = "--app",
            paramLabel = "PACKAGE",
            description = "Label the rows with the version of this Android app, such as com.example, from the trace's"
                    + " package list.")
    private @Nullable String app;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description =
                    "Read labels for the rows from a CSV or JSON file. Its columns are file, device, os_build, app"
                            + " and app_version. Its values override those of the trace.")
    private @Nullable Path labels;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            converter = Seconds.class,
            description = "Time limit per trace in seconds (default: ${DEFAULT-VALUE}).")
    private Duration timeout = TraceLimits.DEFAULT.time();

    @Option(
            names = "--max-mb",
            paramLabel = "N",
            converter = Megabytes.class,
            description = "Size limit per trace in MB (default: 1000).")
    private @Nullable Integer maxMegabytes;

    @Option(
            names = "--threads",
            paramLabel = "N",
            converter = Threads.class,
            description = "Number of traces to process in parallel (default: one per CPU).")
    private @Nullable Integer threads;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description =
                    "Run on Apache Spark: local[*], k8s://URL, spark://HOST:PORT or yarn. PATH and DIR may then be on"
                            + " any file system that Hadoop supports.")
    private @Nullable String master;

    FleetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (paths.isEmpty()) {
            throw new UserError("missing PATH (traces, folders or archives) or a command: report, query, compare");
        }
        if (out == null) {
            throw new UserError("missing --out DIR, the folder for the rows");
        }
        if (doctor && file != null) {
            throw new UserError("give --doctor or -f FILE, not both");
        }
        if (master != null) {
            SparkMaster where = SparkMaster.of(master);
            List<String> arguments = sparkArguments(out);
            TraceTask _ = task(); // reports invalid options before Spark is downloaded and started
            return SparkProcess.prepared(where, terminal).run(arguments);
        }
        Inputs inputs = inputs();
        TraceTask task = task();
        long start = System.nanoTime();
        RunTotals tally;
        Path written;
        InterruptionHandler interruption = InterruptionHandler.listen();
        try (interruption;
                FleetFolder folder = FleetFolder.open(Path.of(out), task, resume)) {
            written = folder.path();
            try (FleetProgressLine progress = FleetProgressLine.show(terminal, inputs, interruption)) {
                tally = LocalRun.run(task, inputs, threads(), folder, progress);
            }
        }
        boolean isInterrupted = interruption.isWanted();
        if (tally.isEmpty()) {
            throw new UserError(isInterrupted ? "interrupted before the first trace was processed" : "no traces found");
        }
        if (isInterrupted) {
            terminal.err.println("Interrupted. Finished traces are kept; continue with --resume.");
        }
        return printTotals(tally, written, (System.nanoTime() - start) / 1e9);
    }

    private List<String> sparkArguments(String folder) {
        if (paths.contains(LIST) || threads != null) {
            throw new UserError("--master cannot be combined with - (a list on standard input) or --threads");
        }
        List<String> arguments = new ArrayList<>(paths);
        arguments.addAll(List.of("--out", folder));
        arguments.addAll(List.of("--min-ms", Double.toString(minDuration.toNanos() / NANOS_PER_MS)));
        arguments.addAll(List.of("--timeout", Double.toString(timeout.toMillis() / MILLIS_PER_SECOND)));
        if (file != null) {
            arguments.addAll(List.of("--file", file.toAbsolutePath().toString()));
        }
        if (labels != null) {
            arguments.addAll(List.of("--labels", labels.toAbsolutePath().toString()));
        }
        if (app != null) {
            arguments.addAll(List.of("--app", app));
        }
        if (maxMegabytes != null) {
            arguments.addAll(List.of("--max-mb", maxMegabytes.toString()));
        }
        if (resume) {
            arguments.add("--resume");
        }
        return arguments;
    }

    private Inputs inputs() throws IOException {
        List<String> named = paths.stream().filter(path -> !path.equals(LIST)).toList();
        BufferedReader list = named.size() == paths.size()
                ? null
                : new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Inputs inputs = new Inputs(named, list);
        try {
            inputs.check();
        } catch (NoSuchFileException e) {
            throw new UserError(e.getMessage() + ": no such file or folder, and no file matches it");
        }
        return inputs;
    }

    private TraceTask task() throws IOException {
        TraceLimits limits = TraceLimits.DEFAULT.withTime(timeout);
        if (maxMegabytes != null) {
            limits = limits.withBytes(maxMegabytes * BYTES_PER_MB);
        }
        LabelFile known = labels == null ? LabelFile.EMPTY : LabelFile.read(labels);
        if (file == null) {
            return TraceTask.ofTheDoctor(minDuration, app, known, limits);
        }
        TraceTask task = TraceTask.ofStatements(SqlArguments.of(file), app, known, limits);
        try {
            task.check();
        } catch (QueryException e) {
            throw new UserError(file + ": " + e.getMessage());
        }
        return task;
    }

    private int threads() {
        return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    }

    private int printTotals(RunTotals tally, Path folder, double seconds) {
        tally.lines(seconds).forEach(terminal.out::println);
        if (labels != null) {
            String line = tally.labelLine(TerminalText.printable(labels.toString()));
            if (tally.labelled() == 0) {
                terminal.err.println("unjank fleet: " + line);
            } else {
                terminal.out.println(line);
            }
        }
        terminal.out.println(RunTotals.folderLine(TerminalText.printable(folder.toString())));
        return tally.isInVain() ? ExitCode.UNUSABLE : ExitCode.OK;
    }

    private static final class Threads extends IntRangeConverter {
        Threads() {
            super(MAX_THREADS);
        }
    }

    private static final class Megabytes extends IntRangeConverter {
        private static final int MOST = 100_000;

        Megabytes() {
            super(MOST);
        }
    }

    private static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String value) {
            return StatementTimeout.parse(value);
        }
    }
}
